import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { People } from '#database/seed/document.ts'
import { applyTallies } from '#post/server/post.ts'

/** Sample members like and favourite some posts of others in unrestricted tags: topics most, comments less, replies least. */
export async function like(tx: Db, people: People, now: Date): Promise<void> {
  const ids = [...people.values()].map(({ id }) => id)
  await sql`
    insert into post_like (post_kind, post_id, member_id, at)
    select post.kind, post.id, member.id, least(${now}, post.published_at + make_interval(mins => chance * 7))
    from (
      select 'topic' as kind, id, id as topic_id, author_id, published_at, 24 as share, status from topic
      union all select 'comment', id, topic_id, author_id, published_at, 14, status from comment
      union all select 'reply', id, topic_id, author_id, published_at, 7, status from reply
    ) as post
    join topic on topic.id = post.topic_id join tag on tag.id = topic.tag_id and not tag.is_restricted
    cross join unnest(${ids}::bigint[]) as member(id)
    cross join lateral (select ((post.id * 7919 + member.id * 104729) % 101)::int as chance) as drawn
    where post.status = 'published' and post.author_id <> member.id and chance < share`.execute(tx)
  await sql`
    insert into favourite (topic_id, member_id, at)
    select post_id, member_id, at from post_like where post_kind = 'topic' and (post_id * 31 + member_id * 17) % 4 = 0`.execute(tx)
  await applyTallies(tx)
}
