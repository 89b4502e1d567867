import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { myUnlocks, unlocksOfMine } from '#hidden-part/contract.ts'
import { withNames } from '#hidden-part/server/reveal.ts'
import { visibleThreads } from '#hidden-part/server/thread.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

export const perPage = 30
const purchases = sql`hidden.unlock as done join hidden.outline as placed on placed.id = done.part_id join topic on topic.id = placed.thread_id
  left join comment on comment.id = placed.comment_id`
export const isRefunded = sql<boolean>`exists (select from ledger.transaction where reverses = done.transaction_id)`
// A post that staff removed broke a rule: its price is refunded.
const isBought = sql<boolean>`(done.transaction_id is not null and not ${isRefunded}
  and topic.deleted_by is distinct from 'staff' and comment.deleted_by is distinct from 'staff')`

type Row = {
  part_id: string
  member_id: string
  lock: 'password' | 'points' | 'balance'
  paid: string
  earned: string
  at: Date
  isRefunded: boolean
  topic_id: string
  commentId: string | null
  kind: 'topic' | 'question'
  title: string
  is_there: boolean
  is_shown: boolean
  isBought: boolean
}

/** The purchases of this member's hidden parts, and the income from them; of one topic, or of all. */
export async function forAuthor(
  db: Db,
  member: Member,
  { page, topicId }: ParsedInput<typeof unlocksOfMine>,
): Promise<Output<typeof unlocksOfMine>> {
  const mine = sql`hidden.outline as placed join hidden.unlock as done on done.part_id = placed.id
    where placed.id in (${partsOf(member.id)}) ${topicId ? sql`and placed.thread_id = ${topicId}` : sql``}`
  // Refunds are excluded by a join: one lookup each would cost more than the rest of the query.
  const {
    rows: [sums],
  } = await sql<{ count: string; points: string; cents: string }>`
    select (select count(*) from ${mine}) as count, coalesce(sum(earned) filter (where done.lock = 'points'), 0) as points,
      coalesce(sum(earned) filter (where done.lock = 'balance'), 0) as cents
    from ${mine} and not ${isRefunded}`.execute(db)
  const pages = pagePosition(Number(sums?.count ?? 0), page, perPage)
  const rows = await unlockRows(db, sql`select done.id from ${mine}`, page)
  const people = await user.authors(
    db,
    rows.map(({ member_id }) => member_id),
  )
  const { allowCash } = await setting.all(db)
  return {
    unlocks: rows.map((row) => ({ ...viewOf(row), member: people.get(row.member_id) ?? null, earned: row.earned })),
    earned: { points: sums?.points ?? '0', cents: allowCash ? (sums?.cents ?? '0') : '0' },
    ...pages,
  }
}

/**
 * The parts that this member unlocked, with their current text, even if removed from the topic. Paid parts stay readable wherever they
 * went, unless staff removed them.
 */
export async function forBuyer(db: Db, member: Member, { page }: ParsedInput<typeof myUnlocks>): Promise<Output<typeof myUnlocks>> {
  const { count } = await db
    .selectFrom('hidden.unlock')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  const pages = pagePosition(Number(count), page, perPage)
  const rows = await unlockRows(db, sql`select done.id from hidden.unlock as done where done.member_id = ${member.id}`, page)
  const threads = await visibleThreads(
    db,
    member,
    rows.map(({ topic_id }) => topic_id),
  )
  const { rows: opened } = await sql<UnlockedPart>`
    select asked.id, one.segments, hidden.as_bought(asked.id, ${member.id}) as bought
    from unnest(${rows.map(({ part_id }) => part_id)}::text[]) as asked(id), hidden.find(asked.id, ${member.id}, false) as one`.execute(db)
  const segments = await withCurrentNames(db, opened)
  return {
    unlocks: rows.map((row) => {
      const isSeen = threads.has(row.topic_id) && row.is_shown
      const part = isSeen || row.isBought ? segments.get(row.part_id) : undefined
      return {
        ...viewOf(row),
        // The new title of a topic is not disclosed to members who no longer see it.
        ...(!threads.has(row.topic_id) && { topic: { id: row.topic_id, kind: row.kind, title: '' } }),
        isTakenOut: !row.is_there,
        isGone: !isSeen,
        segments: part?.segments ?? null,
        bought: (row.isBought && part?.bought) || null,
      }
    }),
    ...pages,
  }
}

type UnlockedPart = { id: string; segments: Segment[] | null; bought: Segment[] | null }

async function withCurrentNames(db: Db, opened: readonly UnlockedPart[]): Promise<Map<string, UnlockedPart>> {
  const bought = await withNames(
    db,
    opened.map((row) => ({ segments: row.bought })),
  )
  return new Map((await withNames(db, opened)).map((row, place) => [row.id, { ...row, bought: bought[place]?.segments ?? null }]))
}

/** The parts among these that this member paid for and still reads wherever they went. */
export async function boughtAmong(db: Db, memberId: string | null, partIds: readonly string[]): Promise<Set<string>> {
  if (partIds.length === 0 || memberId === null) return new Set()
  const { rows } = await sql<{ id: string }>`
    select part_id as id from ${purchases} where member_id = ${memberId} and part_id = any(${partIds}::text[]) and ${isBought}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

// By the member's topics, and by the few comments that were topics.
function partsOf(memberId: string) {
  return sql`
    select its.id from hidden.outline as its join topic on topic.id = its.topic_id where topic.author_id = ${memberId}
    union all
    select its.id from hidden.outline as its join comment on comment.id = its.comment_id
    where its.comment_id is not null and comment.author_id = ${memberId}`
}

/** The parts of a topic, in its opening post and in comments that were topics. */
export function partsIn(topicId: string) {
  return sql`
    select id from hidden.outline where topic_id = ${topicId}
    union all
    select its.id from hidden.outline as its join comment on comment.id = its.comment_id
    where its.comment_id is not null and comment.topic_id = ${topicId}`
}

function viewOf(row: Row) {
  const { part_id: partId, commentId, lock, paid, at, isRefunded, topic_id: id, kind, title } = row
  return { partId, topic: { id, kind, title }, commentId, lock, paid, at: at.toISOString(), isRefunded }
}

async function unlockRows(db: Db, condition: ReturnType<typeof sql>, page: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select done.part_id, done.member_id, done.lock, done.paid, done.earned, done.at, ${isRefunded} as "isRefunded", topic.id as topic_id, placed.comment_id as "commentId", topic.kind, topic.title,
      placed.is_there, placed.is_shown, ${isBought} as "isBought"
    from ${purchases} where done.id = any(array(${condition} order by done.id desc limit ${perPage} offset ${(page - 1) * perPage}))
    order by done.id desc`.execute(db)
  const { allowCash } = await setting.all(db)
  // A site without balances shows no price in money.
  return rows.map((row) => (row.lock === 'balance' && !allowCash ? { ...row, paid: '0', earned: '0' } : row))
}
