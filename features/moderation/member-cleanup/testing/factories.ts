import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'
import type { Person } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

export type Talk = { what: 'topic' | 'comment' | 'reply' | 'remove'; who: number; where: number }[]

/** Topics that a member may publish in a minute. */
const topicsPerMinute = 6

/** Posts and removals of some people. */
export function talkOf(people: number) {
  const what = fc.constantFrom('topic', 'comment', 'comment', 'reply', 'reply', 'remove')
  return fc.array(fc.record({ what, who: fc.nat(people - 1), where: fc.nat(1000) }), { minLength: 5, maxLength: 25 })
}

/** Performs the actions through the API. Actions without a target, such as a first reply, and topics beyond the allowance are left out. */
export async function have(talk: Talk, people: readonly Person[], tagIds: readonly string[]): Promise<void> {
  const [topics, comments, replies]: [WrittenPosts, WrittenPosts, WrittenPosts] = [[], [], []]
  const at = <T>(among: readonly T[], where: number) => among[where % Math.max(1, among.length)]
  const allowances = new Map(people.map((person) => [person, topicsPerMinute]))
  for (const { what, who, where } of [{ what: 'topic' as const, who: 0, where: 0 }, ...talk]) {
    const by = at(people, who)
    const [topic, comment] = [at(topics, where), at(comments, where)]
    if (!by) return
    const allowance = allowances.get(by) ?? 0
    if (what === 'topic' && allowance > 0) {
      allowances.set(by, allowance - 1)
      topics.push({ id: await aTopic(by, at(tagIds, where) ?? ''), by, under: '' })
    } else if (what === 'comment' && topic) comments.push({ id: await aComment(by, topic.id), by, under: topic.id })
    else if (what === 'reply' && comment) replies.push({ id: await aReply(by, comment.id), by, under: comment.id })
    else if (what === 'remove') await remove(where, topics, comments, replies)
  }
}

type WrittenPosts = { id: string; by: Person; under: string }[]

async function remove(where: number, topics: WrittenPosts, comments: WrittenPosts, replies: WrittenPosts): Promise<void> {
  const kind = where % 3
  const from = [topics, comments, replies][kind] ?? []
  // The first topic stays, so that there is always one to comment on.
  const [post] = from.length > (kind === 0 ? 1 : 0) ? from.splice(-1) : []
  if (!post) return
  if (kind === 0) await post.by.call(removeTopic, { topicId: post.id })
  // No more comments under a deleted topic.
  if (kind === 0) comments.splice(0, comments.length, ...comments.filter(({ under }) => under !== post.id))
  if (kind === 1) await post.by.tryCall(removeRemark, { kind: 'comment', id: post.id })
  if (kind === 2) await post.by.tryCall(removeRemark, { kind: 'reply', id: post.id })
}

/** Every stored counter that differs from its recount; empty where all are right. */
export async function wrongCounts({ app }: Database): Promise<unknown[]> {
  const { rows } = await sql`
    with post as (
      select 'topic' as kind, id, author_id, tag_id, id as topic_id, null::bigint as comment_id, true as is_seen from topic where status = 'published'
      union all select 'comment', comment.id, comment.author_id, tag_id, topic_id, null, topic.status = 'published'
        from comment join topic on topic.id = topic_id where comment.status = 'published'
      union all select 'reply', reply.id, reply.author_id, tag_id, topic_id, comment_id, topic.status = 'published'
        from reply join topic on topic.id = topic_id where reply.status = 'published'
    ), checked as (
      select 'topic ' || id || ' remarks' as what, comment_count::bigint as kept,
        (select count(*) from post where post.topic_id = topic.id and kind <> 'topic') as due from topic
      union all select 'topic ' || id || ' replies', reply_count,
        (select count(*) from post where post.topic_id = topic.id and kind = 'reply') from topic
      union all select 'topic ' || id || ' floors', author_floors,
        (select count(*) from comment where topic_id = topic.id and comment.author_id = topic.author_id) from topic
      union all select 'comment ' || id || ' author floor', coalesce(author_floor, 0),
        case when author_id = (select author_id from topic where topic.id = comment.topic_id) then (
          select count(*) from comment as earlier where earlier.topic_id = comment.topic_id and earlier.author_id = comment.author_id
            and earlier.floor <= comment.floor) else 0 end from comment
      union all select 'comment ' || id, reply_count, (select count(*) from post where post.comment_id = comment.id) from comment
      union all select 'tag ' || id, topic_count, (select count(*) from post where post.tag_id = tag.id and kind = 'topic') from tag
      union all select 'member ' || id || ' topics', topic_count, (select count(*) from post where author_id = member.id and kind = 'topic') from member
      union all select 'member ' || id || ' comments', comment_count, (select count(*) from post where author_id = member.id and is_seen and kind = 'comment') from member
      union all select 'member ' || id || ' replies', reply_count, (select count(*) from post where author_id = member.id and is_seen and kind = 'reply') from member
      union all select 'written ' || member_id || ' ' || tag_id, topics * 1000000 + comments * 1000 + replies, (
        select count(*) filter (where kind = 'topic') * 1000000 + count(*) filter (where kind = 'comment') * 1000 + count(*) filter (where kind = 'reply')
        from post where post.author_id = member_id and is_seen and post.tag_id = written.tag_id) from written
      union all select 'topic ' || id || ' last reply', floor(extract(epoch from last_reply_at) * 1000), coalesce((
        select max(floor(extract(epoch from at) * 1000)) from (
          select published_at as at from comment where topic_id = topic.id and status = 'published'
          union all select published_at from reply where topic_id = topic.id and status = 'published') as remark),
        floor(extract(epoch from published_at) * 1000)) from topic
    ) select * from checked where kept <> due`.execute(app)
  return rows
}

/** The state behind every page, except heat, which fades by the minute. */
export async function standing({ app }: Database): Promise<unknown> {
  const { rows } = await sql`select
    (select jsonb_agg(to_jsonb(topic) - 'heat' || jsonb_build_object('last_reply_at', date_trunc('milliseconds', last_reply_at)) order by id) from topic) as topics,
    (select jsonb_agg(to_jsonb(comment) order by id) from comment) as comments,
    (select jsonb_agg(to_jsonb(reply) order by id) from reply) as replies,
    (select jsonb_agg(to_jsonb(tag) order by id) from tag) as tags,
    (select jsonb_agg(to_jsonb(written) order by member_id, tag_id) from written where topics + comments + replies > 0) as written,
    (select jsonb_agg(jsonb_build_array(id, topic_count, comment_count, reply_count) order by id) from member) as members`.execute(app)
  return rows[0]
}
