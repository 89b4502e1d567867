import { sql } from 'kysely'
import type { Db, Parts } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'

export type Counts = { topics: number; comments: number; replies: number }

/** Counts one more that a member has on the page in a tag, as a part of another statement; none where it waits. */
export function wrote(tx: Parts, memberId: string, tagId: string, what: keyof Counts, by: 0 | 1 = 1) {
  return tx
    .insertInto('written')
    .values({ member_id: memberId, tag_id: tagId, [what]: by })
    .onConflict((there) =>
      there.columns(['member_id', 'tag_id']).doUpdateSet({ [what]: sql`${sql.ref(`written.${what}`)} + excluded.${sql.ref(what)}` }),
    )
}

/** Counts one less. */
export async function lost(tx: Db, memberId: string, tagId: string, what: keyof Counts): Promise<void> {
  await tx
    .updateTable('written')
    .set((row) => ({ [what]: row(what, '-', 1) }))
    .where('member_id', '=', memberId)
    .where('tag_id', '=', tagId)
    .execute()
}

/** Comments and replies of one member among many. */
export type Tally = { memberId: string; comments: number; replies: number }

/** Counts what many have on the page in a tag at once. */
export async function wroteAll(tx: Db, tagId: string, tallies: readonly Tally[]): Promise<void> {
  await sql`
    insert into written (member_id, tag_id, comments, replies)
    select member_id, ${tagId}::bigint, comments, replies from ${tallied(tallies)}
    on conflict (member_id, tag_id)
    do update set comments = written.comments + excluded.comments, replies = written.replies + excluded.replies`.execute(tx)
}

/** Counts what they have there no more. */
export async function lostAll(tx: Db, tagId: string, tallies: readonly Tally[]): Promise<void> {
  await sql`
    update written set comments = written.comments - tally.comments, replies = written.replies - tally.replies
    from ${tallied(tallies)}
    where written.member_id = tally.member_id and written.tag_id = ${tagId}::bigint`.execute(tx)
}

/** Counts it no more for them anywhere. */
export async function lostForGood(tx: Db, tallies: readonly Tally[]): Promise<void> {
  await sql`
    update member set comment_count = comment_count - tally.comments, reply_count = reply_count - tally.replies
    from ${tallied(tallies)}
    where member.id = tally.member_id`.execute(tx)
}

function tallied(tallies: readonly Tally[]) {
  const [ids, comments, replies] = [
    tallies.map((one) => one.memberId),
    tallies.map((one) => one.comments),
    tallies.map((one) => one.replies),
  ]
  return sql`unnest(${ids}::bigint[], ${comments}::int[], ${replies}::int[]) as tally(member_id, comments, replies)`
}

/** What a member has on the page where this viewer may look. */
export async function countsFor(db: Db, viewer: Viewer, memberId: string): Promise<Counts> {
  const rows = await db
    .selectFrom('written')
    .select(['tag_id', 'topics', 'comments', 'replies'])
    .where('member_id', '=', memberId)
    .execute()
  const seen = rows.filter(({ tag_id }) => viewer.may('topic.view', tag_id))
  const sum = (what: keyof Counts) => seen.reduce((total, row) => total + row[what], 0)
  return { topics: sum('topics'), comments: sum('comments'), replies: sum('replies') }
}
