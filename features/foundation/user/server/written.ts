import { sql, type RawBuilder } from 'kysely'
import type { Db, StatementBuilder } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { tables, threadKinds, type Kind, type ThreadKind } from '#kind/contract.ts'

export type Counts = { topics: number; comments: number; replies: number; questions: number; answers: number; adopted: number }

/**
 * The part of a statement that counts one more post, by the member, tag and kind of thread in another part's row; left out where the post
 * waits for review.
 */
export function incrementWritten(tx: StatementBuilder, kind: Kind, row: RawBuilder<unknown>) {
  const what = tables[kind].written
  return tx
    .insertInto('written')
    .columns(['member_id', 'tag_id', 'thread_kind', what])
    .expression(sql`select *, 1 from (${row}) as its`)
    .onConflict((there) =>
      there
        .columns(['member_id', 'tag_id', 'thread_kind'])
        .doUpdateSet({ [what]: sql`${sql.ref(`written.${what}`)} + excluded.${sql.ref(what)}` }),
    )
}

/** A post that counts for its author, in its tag: one that is published, in a published thread. */
export type CountedPost = { kind: Kind; thread: ThreadKind; memberId: string; tagId: string }

/** Locks the counts of these members in one order, so that concurrent transactions do not deadlock. */
export async function lock(tx: Db, memberIds: readonly string[]): Promise<void> {
  await sql`select from member where id = any(${[...new Set(memberIds)]}::bigint[]) order by id for update`.execute(tx)
}

/** Counts posts that were published, or unpublished, for their authors. */
export async function count(tx: Db, posts: readonly CountedPost[], sign: 1 | -1): Promise<void> {
  const { topics, comments, replies, ids } = tallyOf(posts, ({ memberId }) => memberId)
  await sql`
    update member set topic_count = topic_count + ${sign}::int * topics, comment_count = comment_count + ${sign}::int * comments,
      reply_count = reply_count + ${sign}::int * replies
    from unnest(${ids}::bigint[], ${topics}::int[], ${comments}::int[], ${replies}::int[]) as tally (id, topics, comments, replies)
    where member.id = tally.id`.execute(tx)
  await countInTags(tx, posts, sign)
}

/** Counts the posts of threads that were published, or unpublished, for their authors. */
export async function countUnder(tx: Db, topicIds: readonly string[], sign: 1 | -1): Promise<void> {
  if (topicIds.length === 0) return
  const written =
    sign === 1
      ? sql`insert into written (member_id, tag_id, thread_kind, comments, replies) select * from tally
          on conflict (member_id, tag_id, thread_kind) do update set comments = written.comments + excluded.comments,
            replies = written.replies + excluded.replies`
      : sql`update written set comments = written.comments - tally.comments, replies = written.replies - tally.replies from tally
          where written.member_id = author_id and written.tag_id = tally.tag_id and thread_kind = kind`
  await sql`
    with remark as (
      select topic_id, author_id, count(*)::int as comments, 0 as replies from comment
        where status = 'published' and topic_id = any(${topicIds}::bigint[]) group by 1, 2
      union all select topic_id, author_id, 0, count(*)::int from reply
        where status = 'published' and topic_id = any(${topicIds}::bigint[]) group by 1, 2
    ), tally as materialized (
      select remark.author_id, tag_id, kind, sum(comments)::int as comments, sum(replies)::int as replies
      from remark join topic on topic.id = topic_id group by 1, 2, 3
    ), locked as (
      select member.id, its.comments, its.replies
      from (select author_id, sum(comments) as comments, sum(replies) as replies from tally group by 1) as its
        join member on member.id = its.author_id order by member.id for update of member
    ), counted as (
      update member set comment_count = comment_count + ${sign}::int * locked.comments, reply_count = reply_count + ${sign}::int * locked.replies
      from locked where member.id = locked.id
    ) ${written}`.execute(tx)
}

/** Counts posts in their current tag, which may be another than before. */
export async function countInTags(tx: Db, posts: readonly CountedPost[], sign: 1 | -1): Promise<void> {
  const { topics, comments, replies, ids } = tallyOf(posts, ({ memberId, tagId, thread }) => `${memberId} ${tagId} ${thread}`)
  const [members, tags, threads] = [0, 1, 2].map((part) => ids.map((id) => id.split(' ')[part]))
  const tally = sql`unnest(${members}::bigint[], ${tags}::bigint[], ${threads}::text[], ${topics}::int[], ${comments}::int[], ${replies}::int[])
    as tally (member_id, tag_id, thread_kind, topics, comments, replies)`
  if (sign === 1)
    await sql`insert into written (member_id, tag_id, thread_kind, topics, comments, replies) select * from ${tally}
      on conflict (member_id, tag_id, thread_kind) do update set topics = written.topics + excluded.topics,
        comments = written.comments + excluded.comments, replies = written.replies + excluded.replies`.execute(tx)
  else
    await sql`update written set topics = written.topics - tally.topics, comments = written.comments - tally.comments,
        replies = written.replies - tally.replies
      from ${tally} where written.member_id = tally.member_id and written.tag_id = tally.tag_id
        and written.thread_kind = tally.thread_kind`.execute(tx)
}

function tallyOf(posts: readonly CountedPost[], idOf: (post: CountedPost) => string) {
  // In one order, so that concurrent transactions on the same members wait, but do not deadlock.
  const groups = [...Map.groupBy(posts, idOf)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const of = (kind: Kind) => groups.map(([, its]) => its.filter((post) => post.kind === kind).length)
  return { ids: groups.map(([id]) => id), topics: of('topic'), comments: of('comment'), replies: of('reply') }
}

/**
 * A member's published posts, in published threads that this viewer may see, as their lists show them; replies under topics and questions
 * count together.
 */
export async function countsFor(db: Db, viewer: Viewer, memberId: string): Promise<Counts> {
  const { rows } = await sql<{ written: WrittenInTag[] }>`select ${writtenBy(sql.val(memberId))} as written`.execute(db)
  return visibleCounts(viewer, rows[0]?.written ?? [])
}

type WrittenInTag = { tag_id: string; thread_kind: ThreadKind; topics: number; comments: number; replies: number; adopted: number }

/** A member's counts in each tag, as a column of a query, for `visibleCounts`. */
export function writtenBy(memberId: RawBuilder<unknown>): RawBuilder<WrittenInTag[]> {
  return sql`(select coalesce(json_agg(its), '[]') from (
    select tag_id::text, thread_kind, topics, comments, replies, 0 as adopted from written where member_id = ${memberId}
    union all
    select tag_id::text, 'question', 0, 0, 0, count(*)::int from adoption join topic on topic.id = topic_id
      where adoption.author_id = ${memberId} and topic.status = 'published' group by tag_id) as its)`
}

export function visibleCounts(viewer: Viewer, rows: readonly WrittenInTag[]): Counts {
  const seen = rows.filter(({ tag_id }) => viewer.may('tag.view', tag_id))
  const sum = (what: 'topics' | 'comments' | 'replies' | 'adopted', of: readonly ThreadKind[]) =>
    seen.reduce((total, row) => total + (of.includes(row.thread_kind) ? row[what] : 0), 0)
  return {
    topics: sum('topics', ['topic']),
    comments: sum('comments', ['topic']),
    replies: sum('replies', threadKinds),
    questions: sum('topics', ['question']),
    answers: sum('comments', ['question']),
    adopted: sum('adopted', ['question']),
  }
}
