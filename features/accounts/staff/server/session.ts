import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { secretCookie, staffCookie } from '#base/server/http/secret-cookies.ts'
import type { Db } from '#base/server/database/database.ts'
import { StaffOnly, type ClientInfo, type StaffActor, type Staff, type Viewer } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import * as role from '#role/server/role.ts'
import { ownAccount } from '#staff/contract.ts'

const idleMinutes = 30
const maxHours = 12
const staffColumns = ['staff.id', 'account', 'speaks_as', 'owes_password', 'totp_confirmed'] as const

/** Authenticates a request to the administration: staff by a valid session, otherwise a visitor. */
export async function authenticate(db: Db, cookies: string | undefined): Promise<Viewer | Staff> {
  const secret = secretCookie(cookies, staffCookie)
  const row = secret ? await holderOf(db, { hash: hashOf(secret) }) : undefined
  return row ? viewerOf(db, row) : { id: null, ...(await role.rightsOfVisitor(db)) }
}

/** The member of staff of a valid session. For requests without a cookie, such as the address of a picture. */
export async function staffInSession(db: Db, sessionId: string): Promise<Staff | null> {
  const row = await holderOf(db, { id: sessionId })
  return row ? viewerOf(db, row) : null
}

/** A member of staff whose session may have ended, for jobs they started. Null for locked accounts. */
export async function withoutSession(db: Db, staffId: string): Promise<Staff | null> {
  const row = await db
    .selectFrom('staff')
    .select(staffColumns)
    .select(account.isAdministrator('staff.id').as('is_administrator'))
    .select(rightsOf('staff.id').as('rights'))
    .where('staff.id', '=', staffId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row ? viewerOf(db, { ...row, session_id: '', proved_at: new Date(0) }) : null
}

type StaffSession = Omit<NonNullable<Awaited<ReturnType<typeof holderOf>>>, 'is_old'>

async function viewerOf(db: Db, row: StaffSession): Promise<Staff> {
  const rights = new Set(row.rights)
  const owes = (await account.pendingStaffSteps(db, row)).length > 0
  const staff: StaffActor = {
    id: row.id,
    account: row.account,
    sessionId: row.session_id,
    provedAt: row.proved_at,
    isAdministrator: row.is_administrator,
    isSetupPending: owes,
    may: (right) => right === ownAccount || (!owes && (row.is_administrator || rights.has(right))),
  }
  // Actions of staff are checked against their rights as staff, call by call; rights of members do not limit them.
  return { id: row.speaks_as, sessionId: '', may: () => true, where: () => ({ except: [] }), audience: 'staff', staff }
}

async function holderOf(db: Db, by: { hash: Buffer } | { id: string }) {
  const row = await db
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_id')
    .select(staffColumns)
    .select(['staff_session.id as session_id', 'proved_at'])
    .select(sql<boolean>`last_used_at < now() - interval '1 minute'`.as('is_old'))
    .select(account.isAdministrator('staff.id').as('is_administrator'))
    .select(rightsOf('staff.id').as('rights'))
    .where((row) => ('hash' in by ? row('hash', '=', by.hash) : row('staff_session.id', '=', by.id)))
    .where(isActive)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (row?.is_old) await recordUse(db, row.session_id, row.id)
  return row
}

const isActive = sql<boolean>`ended_at is null
  and last_used_at > now() - ${idleMinutes} * interval '1 minute' and began_at > now() - ${maxHours} * interval '1 hour'`

export function rightsOf(staffId: string) {
  return sql<string[]>`array(
    select right_name from staff_role_holding join staff_role_right using (role_id) where staff_role_holding.staff_id = ${sql.ref(staffId)})`
}

async function recordUse(db: Db, sessionId: string, staffId: string): Promise<void> {
  await db
    .with('used', (part) =>
      part
        .updateTable('staff_session')
        .set({ last_used_at: sql`now()` })
        .where('id', '=', sessionId),
    )
    .updateTable('staff')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', staffId)
    .execute()
}

/** Starts a session; returns its secret. */
export async function begin(tx: Db, staffId: string, client: ClientInfo): Promise<string> {
  const secret = newToken()
  await tx
    .insertInto('staff_session')
    .values({ staff_id: staffId, hash: hashOf(secret), ip: client.ip, user_agent: client.userAgent })
    .execute()
  await tx
    .updateTable('staff')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', staffId)
    .execute()
  return secret
}

/** Refuses where the session was ended during the call: its results, such as a password, would outlive it. */
export async function mustBeActive(tx: Db, { id, sessionId }: StaffActor): Promise<void> {
  await tx.selectFrom('staff').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const alive = await tx
    .selectFrom('staff_session')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!alive) throw StaffOnly()
}

/** Valid sessions of an account, newest first. */
export async function list(db: Db, staffId: string) {
  return db
    .selectFrom('staff_session')
    .select(['id', 'ip', 'user_agent', 'began_at', 'last_used_at'])
    .where('staff_id', '=', staffId)
    .where(isActive)
    .orderBy('began_at', 'desc')
    .limit(100)
    .execute()
}

type SessionSelector = { staffId: string; only?: string; except?: string }

/** Ends sessions of an account: one, all but one, or all. Returns the number. */
export async function end(tx: Db, { staffId, only, except }: SessionSelector, because: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_session')
    .set({ ended_at: sql`now()`, ended_because: because })
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The same for a forced logout: the sessions in the forum opened from them end too. */
export async function forceLogout(tx: Db, selector: SessionSelector, because: string): Promise<number> {
  const ended = await end(tx, selector, because)
  if (ended > 0) await endInForum(tx, selector.staffId)
  return ended
}

/** Ends all forum sessions of the official member. */
export async function endInForum(tx: Db, staffId: string): Promise<void> {
  const { speaks_as } = await tx.selectFrom('staff').select('speaks_as').where('id', '=', staffId).executeTakeFirstOrThrow()
  await account.endAllSessions(tx, speaks_as, 'ended by staff')
}
