import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { memberColumnsOf } from '#base/server/feature.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { SpeaksForStaff, WasMerged } from '#member/contract.ts'
import * as member from '#member/server/member.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'
import { postsPerTransaction } from '#member-cleanup/server/post-batch.ts'
import { AlreadyAtIt, GoneAlready, NobodyCalledSo, SameMember, type mergeLook } from '#member-cleanup/contract.ts'

export type Pair = { from: string; into: string }

type MergeParams = ParsedInput<typeof mergeLook>

/** The member who remains after the merge. */
export async function mergeTarget(db: Db, { memberId, into }: MergeParams) {
  const found = await db
    .selectFrom('member')
    .select(['id', 'account', 'nickname'])
    .select(sql<number>`topic_count + comment_count + reply_count`.as('posts'))
    .where('account_key', '=', user.nameKey(into))
    .executeTakeFirst()
  if (!found) throw NobodyCalledSo()
  if (found.id === memberId) throw SameMember()
  return found
}

/** Refuses two members who cannot be merged. */
export async function assertMergeable(db: Db, { from, into }: Pair): Promise<void> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'is_official', 'deactivated_at', 'merged_into', isBeingCleaned.as('isBeingCleaned')])
    .where('id', 'in', [from, into])
    .execute()
  const [old, other] = [from, into].map((id) => rows.find((row) => row.id === id))
  if (!old) throw Missing()
  if (old.is_official || other?.is_official) throw SpeaksForStaff()
  if (other?.deactivated_at) throw GoneAlready()
  if (old.merged_into) throw WasMerged()
  if (old.isBeingCleaned || other?.isBeingCleaned || (await isMerging(db, [from, into]))) throw AlreadyAtIt()
}

const isBeingCleaned = sql<boolean>`exists (
  select from member_cleanup where member_id = member.id and status in ('removing', 'restoring'))`

/** The preview of a merge: the things that are transferred, and those that end with the account. */
export async function previewMerge(db: Db, params: MergeParams): Promise<Output<typeof mergeLook>> {
  const into = await mergeTarget(db, params)
  const { memberId } = params
  await assertMergeable(db, { from: memberId, into: into.id })
  const [{ rows }, bans, heldRoles] = await Promise.all([
    sql<Record<'posts' | 'waiting' | 'notes' | 'reports' | 'drafts', number>>`select topic_count + comment_count + reply_count as posts,
      (select count(*)::int from review where author_id = member.id and state = 'waiting') as waiting,
      (select count(*)::int from member_note where member_id = member.id) as notes,
      (select count(*)::int from report where reporter_id = member.id) as reports,
      (select count(*)::int from draft where member_id = member.id) as drafts
      from member where id = ${memberId}`.execute(db),
    member.runningBans(db, memberId),
    role.heldNow(db, memberId),
  ])
  const counts = rows[0] ?? { posts: 0, waiting: 0, notes: 0, reports: 0, drafts: 0 }
  return {
    into,
    ...counts,
    bans: bans.map(({ from, endsAt }) => ({ from, endsAt: endsAt?.toISOString() ?? null })),
    roles: heldRoles.map(({ name_zh: zh, name_en: en }) => ({ zh, en })),
  }
}

/** Gives some rows that name a member to the other one and deletes some, as their features say of each column. Answers how many there were. */
export async function transferOwnedRows(tx: Db, pair: Pair): Promise<number> {
  const { from, into } = pair
  let transferred = 0
  for (const { merge, mergeUnless, ...its } of memberColumnsOf(tx)) {
    const [table, column] = [sql.table(its.table), sql.ref(its.column)]
    if (merge === 'move') {
      const { numAffectedRows } = await sql`update ${table} set ${column} = ${into}
        where id in (select id from ${table} where ${column} = ${from} and (${mergeUnless?.(pair) ?? sql`false`}) is not true
          order by id limit ${postsPerTransaction})`.execute(tx)
      transferred += Number(numAffectedRows ?? 0)
    } else if (merge === 'delete') {
      const { numAffectedRows } = await sql`delete from ${table}
        where ctid = any(array(select ctid from ${table} where ${column} = ${from} limit ${postsPerTransaction}))`.execute(tx)
      transferred += Number(numAffectedRows ?? 0)
    }
  }
  return transferred
}

/** Whether one of these members takes part in an unfinished merge. */
export async function isMerging(db: Db, memberIds: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('member_merge')
    .select('id')
    .where('status', '=', 'merging')
    .where((one) => one.or([one('from_id', '=', anyOf(memberIds)), one('into_id', '=', anyOf(memberIds))]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The remaining member gets the bans of both, each for the longer time. Returns the new ones. */
export async function transferBans(tx: Db, by: StaffActor, { from, into }: Pair): Promise<string[]> {
  const theirs = new Map((await member.runningBans(tx, into)).map((ban) => [ban.from, ban.endsAt]))
  const longer = (await member.runningBans(tx, from)).filter(({ from: kind, endsAt }) => {
    const end = theirs.get(kind)
    return end === undefined || (end !== null && (endsAt === null || endsAt > end))
  })
  for (const { from: kind, endsAt, reason } of longer) await member.replaceBans(tx, by, { memberId: into, from: [kind], endsAt, reason })
  return longer.map(({ from: kind }) => kind)
}
