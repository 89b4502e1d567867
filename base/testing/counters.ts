import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** The rows whose stored counts differ from the actual ones. */
export async function counterMismatches(db: Db): Promise<{ place: string; id: string }[]> {
  const { rows } = await sql<{ place: string; id: string }>`
    select 'topic' as place, id from topic where (floors, author_floors, comment_count, reply_count) <> (
      (select count(floor) from comment where topic_id = topic.id),
      (select count(floor) from comment where topic_id = topic.id and comment.author_id = topic.author_id),
      (select count(*) from comment where topic_id = topic.id and status = 'published')
        + (select count(*) from reply where topic_id = topic.id and status = 'published'),
      (select count(*) from reply where topic_id = topic.id and status = 'published'))
    union all select 'comment', id from comment where reply_count <>
      (select count(*) from reply where comment_id = comment.id and status = 'published')
    union all select 'tag', id from tag where topic_count <> (select count(*) from topic where tag_id = tag.id and status = 'published')
    union all select 'member', id from member where (topic_count, comment_count, reply_count) <> (
      (select count(*) from topic where author_id = member.id and status = 'published'),
      (select count(*) from comment join topic on topic.id = topic_id
        where comment.author_id = member.id and comment.status = 'published' and topic.status = 'published'),
      (select count(*) from reply join topic on topic.id = topic_id
        where reply.author_id = member.id and reply.status = 'published' and topic.status = 'published'))`.execute(db)
  return rows
}

/** Topics whose stored newest post is not the actual one. */
export async function newestMismatches(db: Db): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select topic.id
    from topic left join lateral (
      select * from (
        select author_id, published_at from comment where topic_id = topic.id and status = 'published'
        union all select author_id, published_at from reply where topic_id = topic.id and status = 'published'
      ) as said order by published_at desc limit 1
    ) as newest on true
    where (last_reply_by, last_reply_at) is distinct from (newest.author_id, coalesce(newest.published_at, topic.published_at))`.execute(db)
  return rows
}
