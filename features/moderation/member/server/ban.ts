import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import type { Change } from '#batch/server/batch.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as notification from '#notification/server/notification.ts'
import { EndsTooSoon, type banMember } from '#member/contract.ts'
import { lockUnlessStaff } from '#member/server/lock.ts'
import { isRunning } from '#member/server/state.ts'

type Kind = ParsedInput<typeof banMember>['from'][number]
type BanInput = Omit<ParsedInput<typeof banMember>, 'endsAt'> & { endsAt: Date | null }

export async function ban(tx: Db, by: StaffActor, client: ClientInfo, form: ParsedInput<typeof banMember>): Promise<void> {
  const change = await applyBan(tx, by, form)
  await audit.note(tx, by, client, { action: 'member.ban', about: `member ${form.memberId}`, reason: form.reason, ...change })
}

type RunningBan = { from: Kind; endsAt: string | null; reason: string }
type BansBefore = { bans: RunningBan[] }
type BansAfter = { from: Kind[]; endsAt: string | null; banIds: string[] }

/** Bans and notifies the member. Writes no audit entry. */
export async function applyBan(tx: Db, by: Pick<StaffActor, 'id'>, { endsAt, ...wish }: ParsedInput<typeof banMember>): Promise<Change> {
  await lockUnlessStaff(tx, wish.memberId)
  assertFuture(endsAt)
  const bans = (await runningBans(tx, wish.memberId)).filter(({ from }) => wish.from.includes(from))
  const banIds = await replaceBans(tx, by, { ...wish, endsAt: endsAt === undefined ? null : new Date(endsAt) })
  const before: BansBefore = { bans: bans.map((one) => ({ ...one, endsAt: one.endsAt?.toISOString() ?? null })) }
  const after: BansAfter = { from: wish.from, endsAt: endsAt ?? null, banIds }
  return { before, after }
}

export function assertFuture(endsAt: string | undefined): void {
  if (endsAt !== undefined && Date.parse(endsAt) <= Date.now()) throw EndsTooSoon()
}

/** Undoes a ban as far as it still runs, and restores the ban that it replaced. */
export async function undoBan(tx: Db, by: Pick<StaffActor, 'id'>, memberId: string, change: Change): Promise<void> {
  const [{ bans }, { banIds }] = [change.before as BansBefore, change.after as BansAfter]
  await lockUnlessStaff(tx, memberId)
  const lifted = (await liftAll(tx, by, banIds)).map(({ from }) => from as Kind)
  if (lifted.length === 0) throw UndoneAlready()
  const again = bans.filter(({ from, endsAt }) => lifted.includes(from) && (endsAt === null || Date.parse(endsAt) > Date.now()))
  const free = lifted.filter((one) => !again.some(({ from }) => from === one))
  if (free.length > 0) await notification.notify(tx, memberId, { kind: 'banLifted', from: free })
  for (const { from, endsAt, reason } of again)
    await replaceBans(tx, by, { memberId, from: [from], endsAt: endsAt === null ? null : new Date(endsAt), reason })
}

/** Bans, in place of earlier bans. Returns the ids of the bans. The member must be locked. */
export async function replaceBans(tx: Db, by: Pick<StaffActor, 'id'>, { memberId, from, endsAt, reason }: BanInput): Promise<string[]> {
  const kinds = [...new Set(from)]
  // An expired ban keeps its end; a running one is lifted by the actor of the new one.
  await tx
    .updateTable('member_ban')
    .set({
      lifted_at: sql`least(ends_at, clock_timestamp())`,
      lifted_by: sql`case when ends_at <= now() then null else ${by.id}::bigint end`,
    })
    .where('member_id', '=', memberId)
    .where('function', '=', anyOf(kinds))
    .where('lifted_at', 'is', null)
    .execute()
  const rows = await tx
    .insertInto('member_ban')
    .values(kinds.map((kind) => ({ member_id: memberId, function: kind, reason, ends_at: endsAt, given_by: by.id })))
    .returning('id')
    .execute()
  await notification.notify(tx, memberId, { kind: 'banned', from: kinds, endsAt: endsAt?.toISOString() ?? null, reason })
  invalidate(tx, `member:${memberId}`)
  return rows.map(({ id }) => id)
}

export async function lift(tx: Db, by: StaffActor, client: ClientInfo, banId: string): Promise<void> {
  const found = await tx.selectFrom('member_ban').select('member_id').where('id', '=', banId).executeTakeFirst()
  if (!found) throw Missing()
  await lockUnlessStaff(tx, found.member_id)
  const lifted = await liftAll(tx, by, [banId])
  if (lifted.length === 0) throw Missing()
  await notification.notify(tx, found.member_id, { kind: 'banLifted', from: lifted.map(({ from }) => from) })
  await audit.note(tx, by, client, { action: 'member.liftBan', about: `member ${found.member_id}`, before: lifted })
}

export async function runningBans(db: Db, memberId: string) {
  return db
    .selectFrom('member_ban')
    .select([sql<Kind>`function`.as('from'), 'ends_at as endsAt', 'reason'])
    .where('member_id', '=', memberId)
    .where(isRunning)
    .orderBy('function')
    .execute()
}

/** Lifts those of these bans that still run. */
export async function liftAll(tx: Db, by: Pick<StaffActor, 'id'>, banIds: readonly string[]) {
  if (banIds.length === 0) return []
  return tx
    .updateTable('member_ban')
    .set({ lifted_at: sql`clock_timestamp()`, lifted_by: by.id })
    .where('id', '=', anyOf(banIds))
    .where('lifted_at', 'is', null)
    .where(sql<boolean>`(ends_at is null or ends_at > now())`)
    .returning(['function as from', 'reason', 'ends_at as endsAt'])
    .execute()
}
