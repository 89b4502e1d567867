import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'

export type Kind = 'topic' | 'comment' | 'reply'
export type Named = { kind: Kind; id: string }

export type Post = Named & {
  topicId: string
  /** What a reply stands under. */
  commentId: string | null
  tagId: string
  parentTagId: string | null
  status: 'pending' | 'published' | 'deleted'
  deletedBy: 'author' | 'staff' | null
  isPurged: boolean
}

/** How many posts go in one transaction, so that nobody waits long for what it locks. */
export const atOnce = 300

/** Whose hand it is among staff, and what the member is told. */
export type Why = { by: string; reason: string }

export const kinds = ['topic', 'comment', 'reply'] as const

export function idsOf(posts: readonly Named[], kind: Kind): string[] {
  return posts.filter((post) => post.kind === kind).map(({ id }) => id)
}

/** Posts as they stand, with all that they stand under locked: from the topic down, as those lock who write. */
export async function lockPosts(tx: Db, named: readonly Named[]): Promise<Post[]> {
  const [topicIds, commentIds, replyIds] = [idsOf(named, 'topic'), idsOf(named, 'comment'), idsOf(named, 'reply')]
  await sql`select from topic where id = any(${topicIds}::bigint[])
    or id in (select topic_id from comment where id = any(${commentIds}::bigint[]))
    or id in (select topic_id from reply where id = any(${replyIds}::bigint[])) order by id for update`.execute(tx)
  await sql`select from comment where id = any(${commentIds}::bigint[])
    or id in (select comment_id from reply where id = any(${replyIds}::bigint[])) order by id for update`.execute(tx)
  await sql`select from reply where id = any(${replyIds}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<Post>`
    select post.*, tag.id as "tagId", tag.parent_id as "parentTagId" from (
      select 'topic' as kind, id, id as "topicId", null::bigint as "commentId", status, deleted_by as "deletedBy", purged_at is not null as "isPurged"
        from topic where id = any(${topicIds}::bigint[])
      union all select 'comment', id, topic_id, null, status, deleted_by, purged_at is not null from comment where id = any(${commentIds}::bigint[])
      union all select 'reply', id, topic_id, comment_id, status, deleted_by, purged_at is not null from reply where id = any(${replyIds}::bigint[])
    ) as post join topic on topic.id = post."topicId" join tag on tag.id = topic.tag_id`.execute(tx)
  return rows
}

/** Takes posts off the page that stand there. They must be locked. */
export async function takeOff(tx: Db, memberId: string, posts: readonly Post[], why: Why): Promise<void> {
  for (const kind of kinds)
    await sql`update ${sql.table(kind)} set status = 'deleted', deleted_by = 'staff', deleted_from = status,
      deleted_at = clock_timestamp(), deleted_reason = ${why.reason}
      where id = any(${idsOf(posts, kind)}::bigint[])`.execute(tx)
  for (const kind of kinds) await topics.settledAnew(tx, kind, idsOf(posts, kind))
  await keepRemovals(tx, memberId, posts, why)
  const seen = posts.filter(({ status }) => status === 'published')
  await count(tx, memberId, seen, -1)
  await sql`
    update topic set last_reply_at = coalesce(newest.published_at, topic.published_at), last_reply_by = newest.author_id
    from topic as same left join lateral (${newestUnder}) as newest on true
    where same.id = topic.id and topic.id = any(${topicsOf(seen)}::bigint[])
      and topic.last_reply_at > coalesce(newest.published_at, topic.published_at)`.execute(tx)
}

/** What each said, so that its author may appeal. */
async function keepRemovals(tx: Db, memberId: string, posts: readonly Post[], { by, reason }: Why): Promise<void> {
  await sql`insert into removal (author_id, why, removed_by, kind, thing_id, topic_id, comment_id, reply_id, title, excerpt)
    select ${memberId}::bigint, ${reason}, ${by}::bigint, post.* from (
      select 'topic', id, id, null::bigint, null::bigint, title, summary from topic where id = any(${idsOf(posts, 'topic')}::bigint[])
      union all select 'comment', comment.id, topic.id, comment.id, null, title, text
        from comment join topic on topic.id = topic_id where comment.id = any(${idsOf(posts, 'comment')}::bigint[])
      union all select 'reply', reply.id, topic.id, comment_id, reply.id, title, text
        from reply join topic on topic.id = topic_id where reply.id = any(${idsOf(posts, 'reply')}::bigint[])
    ) as post`.execute(tx)
}

/** Puts posts back on the page that were taken off it. They must be locked. */
export async function putBack(tx: Db, memberId: string, posts: readonly (Post & { was: 'pending' | 'published' })[]): Promise<void> {
  for (const kind of kinds)
    for (const was of ['pending', 'published'] as const) {
      const ids = idsOf(
        posts.filter((post) => post.was === was),
        kind,
      )
      await sql`update ${sql.table(kind)} set status = ${was}, deleted_by = null, deleted_from = null,
        deleted_at = null, deleted_reason = null where id = any(${ids}::bigint[])`.execute(tx)
    }
  const seen = posts.filter(({ was }) => was === 'published')
  await count(tx, memberId, seen, 1)
  await sql`
    update topic set last_reply_at = newest.published_at, last_reply_by = newest.author_id
    from topic as same join lateral (${newestUnder}) as newest on true
    where same.id = topic.id and topic.id = any(${topicsOf(seen)}::bigint[])
      and (newest.published_at > topic.last_reply_at or topic.last_reply_by is null)`.execute(tx)
}

// One seek into an index for each of the two. What was said after a topic was sunk does not bring it up.
const newestUnder = sql`
  select author_id, published_at from (
    (select author_id, published_at from comment where topic_id = same.id and status = 'published'
      and published_at <= coalesce(same.sunk_at, 'infinity') order by published_at desc limit 1)
    union all
    (select author_id, published_at from reply where topic_id = same.id and status = 'published'
      and published_at <= coalesce(same.sunk_at, 'infinity') order by published_at desc limit 1)
  ) as remark order by published_at desc limit 1`

function topicsOf(posts: readonly Post[]): string[] {
  return [...new Set(posts.filter(({ kind }) => kind !== 'topic').map(({ topicId }) => topicId))]
}

/** Counts posts that came or went wherever they are counted: topic, comment, member, tag, in the order in which those lock who write. */
async function count(tx: Db, memberId: string, posts: readonly Post[], sign: 1 | -1): Promise<void> {
  const settings = await setting.all(tx)
  const remarks = Map.groupBy(
    posts.filter(({ kind }) => kind !== 'topic'),
    ({ topicId }) => topicId,
  )
  const replies = Map.groupBy(
    posts.filter(({ kind }) => kind === 'reply'),
    ({ commentId }) => commentId ?? '',
  )
  await sql`update topic set comment_count = comment_count + more,
      heat = ${topics.heatOf(settings, sql`(comment_count + more)`, sql`topic.view_count`)}
    from ${deltas(remarks, sign)} where topic.id = delta.id`.execute(tx)
  await sql`update comment set reply_count = reply_count + more from ${deltas(replies, sign)} where comment.id = delta.id`.execute(tx)
  const of = (kind: Kind, among = posts) => sign * among.filter((post) => post.kind === kind).length
  await sql`update member set topic_count = topic_count + ${of('topic')}, comment_count = comment_count + ${of('comment')},
    reply_count = reply_count + ${of('reply')} where id = ${memberId}`.execute(tx)
  const byTag = [...Map.groupBy(posts, ({ tagId }) => tagId)].toSorted(([one], [other]) => Number(one) - Number(other))
  for (const [tagId, its] of byTag) {
    const more = { topics: of('topic', its), comments: of('comment', its), replies: of('reply', its) }
    await sql`insert into written (member_id, tag_id, topics, comments, replies)
      values (${memberId}, ${tagId}, greatest(${more.topics}::int, 0), greatest(${more.comments}::int, 0), greatest(${more.replies}::int, 0))
      on conflict (member_id, tag_id) do update set topics = written.topics + ${more.topics}::int,
        comments = written.comments + ${more.comments}::int, replies = written.replies + ${more.replies}::int`.execute(tx)
  }
  for (const [tagId, its] of byTag) {
    await sql`update tag set topic_count = topic_count + ${of('topic', its)} where id = ${tagId}`.execute(tx)
    tag.touchLists(tx, tagId, its[0]?.parentTagId ?? null)
  }
  touch(tx, 'titles', 'tagCounts', `member:${memberId}`, ...posts.map(({ topicId }) => `topic:${topicId}`))
}

function deltas(groups: ReadonlyMap<string, readonly unknown[]>, sign: 1 | -1) {
  const counts = [...groups.values()].map((its) => sign * its.length)
  return sql`unnest(${[...groups.keys()]}::bigint[], ${counts}::int[]) as delta (id, more)`
}
