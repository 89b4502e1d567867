import { sql } from 'kysely'
import { ChangedSince, type AuditAction } from '#audit/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'

export { subjectNames, type LoggedEdit } from '#audit/server/subject-names.ts'

export type AuditEntry = {
  action: AuditAction
  /** The subject, by kind and id: `topic 42`. */
  about?: string
  reason?: string
  before?: unknown
  after?: unknown
}

/** The account column for a member: accounts of staff contain no space. */
export function memberAccount(memberId: string): string {
  return `member ${memberId}`
}

/** The last actor of this subject, or of this action. */
export async function lastActor(db: Db, about: string, action?: AuditAction): Promise<string | null> {
  const row = await db
    .selectFrom('audit_log')
    .select('account')
    .where('about', '=', about)
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.account ?? null
}

/** Optimistic locking: refuses a write on a version that is not the current one. The row must be locked. */
export async function refuseIfChanged(db: Db, about: string, now: number, read: number): Promise<void> {
  if (now !== read) throw ChangedSince({ by: (await lastActor(db, about)) ?? 'none' })
}

const entriesPerInsert = 1_000

type LogActor = { staffId: string | null; account: string; ip: string }

/**
 * Appends an entry in the transaction of the action; best as the last statement, because other writers of the log wait until the commit.
 */
export async function note(
  tx: Db,
  by: Pick<StaffActor, 'id' | 'account'>,
  { ip }: Pick<ClientInfo, 'ip'>,
  entry: AuditEntry,
): Promise<void> {
  await append(tx, { staffId: by.id, account: by.account, ip }, [entry])
}

/** The same for several entries. */
export async function noteAll(
  tx: Db,
  by: Pick<StaffActor, 'id' | 'account'>,
  { ip }: Pick<ClientInfo, 'ip'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  for (let from = 0; from < entries.length; from += entriesPerInsert)
    await append(tx, { staffId: by.id, account: by.account, ip }, entries.slice(from, from + entriesPerInsert))
}

type AccessContext = { db: Db; inSeparateTransaction: RunInSeparateTransaction; viewer: Staff; client: ClientInfo }

/** Records access to sensitive data: once an hour for each item, to keep the log readable. */
export async function noteAccess(
  { db, inSeparateTransaction, viewer, client }: AccessContext,
  action: AuditAction,
  subject: string | undefined,
): Promise<undefined> {
  if (!subject) return undefined
  const before = await db
    .selectFrom('audit_log')
    .select('id')
    .where('about', '=', subject)
    .where('action', '=', action)
    .where('staff_id', '=', viewer.staff.id)
    .where('at', '>', sql<Date>`now() - interval '1 hour'`)
    .limit(1)
    .executeTakeFirst()
  if (!before) await inSeparateTransaction((tx) => note(tx, viewer.staff, client, { action, about: subject }))
  return undefined
}

type FileDownload = { db: Db; viewer: Staff; client: ClientInfo; input: { rows: number; asked: string } }

/** Handles the endpoint that records the export of a list. */
export function noteExport(action: AuditAction): (download: FileDownload) => Promise<Record<string, never>> {
  return async ({ db, viewer, client, input }) => {
    await note(db, viewer.staff, client, { action, after: input })
    return {}
  }
}

/** Records the action of a member on another member's post. */
export async function noteMember(tx: Db, memberId: string, { ip }: Pick<ClientInfo, 'ip'>, entry: AuditEntry): Promise<void> {
  await append(tx, { staffId: null, account: memberAccount(memberId), ip }, [entry])
}

/** Records an action of the operator's tool. */
export async function noteOperator(tx: Db, entry: AuditEntry): Promise<void> {
  await append(tx, { staffId: null, account: 'operator', ip: '' }, [entry])
}

async function append(tx: Db, by: LogActor, entries: readonly AuditEntry[]): Promise<void> {
  await sql`select append_audit(${by.staffId}, ${by.account}, ${by.ip}, ${JSON.stringify(entries)})`.execute(tx)
}

export type VerifyResult = { entries: number; brokenAt: string | null }

const rowsPerCheck = 10_000n

/** Verifies the hash chain of the whole log. `brokenAt` is the first entry that was changed, or the first missing one. */
export async function verify(db: Db): Promise<VerifyResult> {
  const head = await db.selectFrom('audit_log_head').selectAll().executeTakeFirstOrThrow()
  const end = BigInt(head.id)
  let last = 0n
  let hash: Buffer = Buffer.alloc(0)
  while (last < end) {
    const upTo = last + rowsPerCheck < end ? last + rowsPerCheck : end
    const piece = await verifyChunk(db, { after: String(last), upTo: String(upTo), hash })
    last += BigInt(piece.linked)
    hash = piece.hash ?? hash
    if (last < upTo) return brokenAfter(last)
  }
  return hash.equals(head.hash) ? { entries: Number(last), brokenAt: null } : brokenAfter(last)
}

function brokenAfter(last: bigint): VerifyResult {
  return { entries: Number(last), brokenAt: String(last + 1n) }
}

type LogChunk = { after: string; upTo: string; /** Of the preceding row. */ hash: Buffer }

/** The number of leading rows of a chunk whose hashes are chained, and the hash of its last row. */
async function verifyChunk(db: Db, { after, upTo, hash }: LogChunk): Promise<{ linked: string; hash: Buffer | null }> {
  const { rows } = await sql<{ linked: string; hash: Buffer | null }>`
    select coalesce(min(expected) filter (where id <> expected or hash <> link) - 1 - ${after}::bigint, count(*)) as linked,
      (array_agg(hash order by id desc))[1] as hash
    from (
      select id, hash, lag(id, 1, ${after}::bigint) over its + 1 as expected,
        audit_hash(lag(hash, 1, ${hash}::bytea) over its, audit_log) as link
      from audit_log where id > ${after}::bigint and id <= ${upTo}::bigint window its as (order by id)) as piece`.execute(db)
  return rows[0] ?? { linked: '0', hash: null }
}

/** Counts entries of these actions on one item since a time. */
export async function count(db: Db, subject: string, actions: readonly AuditAction[], since: Date): Promise<number> {
  const row = await db
    .selectFrom('audit_log')
    .select((action) => action.fn.countAll<string>().as('count'))
    .where('about', '=', subject)
    .where('action', '=', anyOf(actions))
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The first entry for each of these items since a time. */
export function firstSince(db: Db, subjects: readonly string[], since: Date) {
  return db
    .selectFrom('audit_log')
    .distinctOn('about')
    .select(['about', 'before'])
    .where('about', '=', anyOf(subjects))
    .where('at', '>', since)
    .orderBy('about')
    .orderBy('id')
    .execute()
}

/** Entries about any of these items, newest first. */
export function about(db: Db, subjects: readonly string[], atMost: number) {
  return db
    .selectFrom('audit_log')
    .select(['at', 'account', 'action', 'before', 'after'])
    .where('about', '=', anyOf(subjects))
    .orderBy('id', 'desc')
    .limit(atMost)
    .execute()
}
