import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database.ts'
import type { From } from '#base/server/route.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

export type Known = { id: string; account: string }
type Wrong = 'password' | 'code'

export const proofsAtMost = 5
const codesAnHour = 10

// No account name has a space, so failures of staff and of members under one name are apart.
const keyOf = (account: string) => `staff ${user.nameKey(account)}`.slice(0, 100)
const codeKey = (staffId: string) => `staffCode ${staffId}`
const proofKey = (sessionId: string) => `staffProof ${sessionId}`

/** Whether this address or this account failed so often here within an hour that a captcha is due. */
export async function areMany(db: Db, from: From, account?: string): Promise<boolean> {
  const { loginCaptchaAfter } = await setting.all(db)
  const { count } = await db
    .selectFrom('failed_login')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where((row) =>
      row.or([
        row.and([row('ip', '=', from.ip), row('account_key', 'like', 'staff %')]),
        ...(account === undefined ? [] : [row('account_key', '=', keyOf(account))]),
      ]),
    )
    .where(sql<boolean>`at > now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return Number(count) >= loginCaptchaAfter
}

export async function unknown(tx: Db, account: string, from: From): Promise<void> {
  await keep(tx, from, [keyOf(account)])
}

/** Somebody could not sign in as this member of staff. */
export async function ofSignIn(tx: Db, staff: Known, from: From, wrong: Wrong): Promise<void> {
  await keep(tx, from, [keyOf(staff.account), ...(wrong === 'code' ? [codeKey(staff.id)] : [])])
  await audit.note(tx, staff, from, { deed: 'staff.signInFailed', about: `staff ${staff.id}`, after: { wrong } })
}

/** Somebody in this session could not show that it is its owner. Gives back how often that was since they last could. */
export async function ofProof(tx: Db, staff: Known & { sessionId: string }, from: From, wrong: Wrong): Promise<number> {
  const { proved_at } = await tx
    .selectFrom('staff_session')
    .select('proved_at')
    .where('id', '=', staff.sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await keep(tx, from, [keyOf(staff.account), proofKey(staff.sessionId), ...(wrong === 'code' ? [codeKey(staff.id)] : [])])
  await audit.note(tx, staff, from, { deed: 'staff.proofFailed', about: `staff ${staff.id}`, after: { wrong } })
  const { count } = await tx
    .selectFrom('failed_login')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('account_key', '=', proofKey(staff.sessionId))
    .where('at', '>', proved_at)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** For how many minutes no more codes are taken, after too many that were wrong. 0: they are taken. Codes of one account wait for each other. */
export async function minutesToWait(tx: Db, staffId: string): Promise<number> {
  await tx.selectFrom('staff').select('id').where('id', '=', staffId).forUpdate().execute()
  const tenth = await tx
    .selectFrom('failed_login')
    .select(sql<number>`ceil(extract(epoch from at + interval '1 hour' - now()) / 60)::int`.as('minutes'))
    .where('account_key', '=', codeKey(staffId))
    .where(sql<boolean>`at > now() - interval '1 hour'`)
    .orderBy('at', 'desc')
    .offset(codesAnHour - 1)
    .limit(1)
    .executeTakeFirst()
  return tenth ? Math.max(1, tenth.minutes) : 0
}

/** How often somebody failed as this member of staff since they last signed in. */
export async function sinceLastTime(db: Db, staffId: string): Promise<number> {
  const last = await db
    .selectFrom('staff_session')
    .select('began_at')
    .where('staff_id', '=', staffId)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return audit.count(db, `staff ${staffId}`, ['staff.signInFailed', 'staff.proofFailed'], last?.began_at ?? new Date(0))
}

async function keep(tx: Db, { ip }: From, keys: readonly string[]): Promise<void> {
  await tx
    .insertInto('failed_login')
    .values(keys.map((account_key) => ({ account_key, ip })))
    .execute()
}
