import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** All counters that differ from a recount. */
export async function wrongCounts(db: Db) {
  return (await recounts.execute(db)).rows
}

const recounts = sql`
  with remark as (
    select topic_id, author_id, published_at, 1 as comments, 0 as replies from comment where status = 'published'
    union all select topic_id, author_id, published_at, 0, 1 from reply where status = 'published'
  ), post as (
    select author_id, tag_id, kind, 1 as topics, 0 as comments, 0 as replies from topic where status = 'published'
    union all select remark.author_id, tag_id, kind, 0, comments, replies from remark join topic on topic.id = topic_id where status = 'published'
  )
  select 'topic.comment_count' as what, id, comment_count::text as is, (select count(*) from remark where topic_id = topic.id)::text as should
    from topic where comment_count <> (select count(*) from remark where topic_id = topic.id)
  union all
  select 'topic.reply_count', id, reply_count::text, (select sum(replies) from remark where topic_id = topic.id)::text
    from topic where reply_count <> (select coalesce(sum(replies), 0) from remark where topic_id = topic.id)
  union all
  select 'topic.floors', id, floors::text, (select count(floor) from comment where topic_id = topic.id)::text
    from topic where floors <> (select count(floor) from comment where topic_id = topic.id)
      or floors <> (select coalesce(max(floor), 0) from comment where topic_id = topic.id)
  union all
  select 'topic.author_floors', id, author_floors::text, ''
    from topic where author_floors <> (select coalesce(max(author_floor), 0) from comment where topic_id = topic.id)
      or author_floors <> (select count(author_floor) from comment where topic_id = topic.id)
  union all
  select 'reply.topic_id', reply.id, reply.topic_id::text, comment.topic_id::text
    from reply join comment on comment.id = comment_id where reply.topic_id <> comment.topic_id
  union all
  select 'topic.last_reply', id, last_reply_at::text, newest.at::text
    from topic, lateral (
      select coalesce((
        select published_at from remark where topic_id = topic.id and (sunk_at is null or published_at <= sunk_at)
        order by published_at desc limit 1), topic.published_at) as at
    ) as newest
    where purged_at is null and last_reply_at <> newest.at
  union all
  select 'comment.reply_count', id, reply_count::text, ''
    from comment where reply_count <> (select count(*) from reply where comment_id = comment.id and status = 'published')
  union all
  select 'tag.topic_count', id, topic_count::text, ''
    from tag where topic_count <> (select count(*) from topic where tag_id = tag.id and status = 'published')
  union all
  select 'member', id, concat_ws(' ', topic_count, comment_count, reply_count), ''
    from member where (topic_count, comment_count, reply_count) <> (
      select coalesce(sum(topics), 0), coalesce(sum(comments), 0), coalesce(sum(replies), 0) from post where author_id = member.id)
  union all
  select 'written', coalesce(written.member_id, sums.author_id), concat_ws(' ', written.topics, written.comments, written.replies), ''
    from written full join (
      select author_id, tag_id, kind, sum(topics) as topics, sum(comments) as comments, sum(replies) as replies from post group by 1, 2, 3
    ) as sums on sums.author_id = member_id and sums.tag_id = written.tag_id and sums.kind = thread_kind
    where (coalesce(written.topics, 0), coalesce(written.comments, 0), coalesce(written.replies, 0))
      <> (coalesce(sums.topics, 0), coalesce(sums.comments, 0), coalesce(sums.replies, 0))
  union all
  select 'topic.is_resolved', id, is_resolved::text, ''
    from topic where is_resolved <> (kind = 'question' and exists (select from adoption join comment on comment.id = comment_id
      where adoption.topic_id = topic.id and comment.topic_id = topic.id and comment.status = 'published'))
  union all
  select 'thread_kind', remark.topic_id, thread_kind, kind
    from (select topic_id, thread_kind from comment union all select topic_id, thread_kind from reply) as remark
    join topic on topic.id = topic_id where thread_kind <> kind
  union all
  select 'topic_tag', topic_id, concat_ws(' ', its.tag_id, its.state, its.is_listed), concat_ws(' ', topic.tag_id, question_state, kind, status)
    from topic left join topic_tag as its on its.topic_id = topic.id
    where (its.topic_id is not null or kind = 'question')
      and (place_id, state, its.last_reply_at, its.published_at, its.heat, is_listed)
        is distinct from (topic.tag_id, question_state, topic.last_reply_at, topic.published_at, topic.heat, status = 'published')`
