import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { People } from '#database/seed/document.ts'

/** Sample members follow some others, unrestricted tags, and threads that they commented on. */
export async function follow(tx: Db, people: People, now: Date): Promise<void> {
  const ids = [...people.values()].map(({ id }) => id)
  await sql`
    insert into follow (of, of_id, member_id, at, level)
    select of, of_id, member.id, ${now}::timestamptz - make_interval(hours => chance * 5), case of when 'tag' then 'tracking' else 'watching' end
    from (
      select 'member' as of, unnest(${ids}::bigint[]) as of_id, 30 as share
      union all select 'tag', id, 16 from tag where not is_restricted
    ) as followed
    cross join unnest(${ids}::bigint[]) as member(id)
    cross join lateral (select ((of_id * 6143 + member.id * 104729) % 101)::int as chance) as drawn
    where chance < share and not (of = 'member' and of_id = member.id)
    union all
    select distinct 'topic', comment.topic_id, comment.author_id, ${now}::timestamptz, 'watching'
    from comment join topic on topic.id = comment.topic_id join tag on tag.id = topic.tag_id and not tag.is_restricted
    where comment.author_id = any(${ids}::bigint[]) and comment.author_id <> topic.author_id and (comment.topic_id + comment.author_id) % 3 = 0
    on conflict (of, of_id, member_id) do update set level = 'watching'`.execute(tx)
}
