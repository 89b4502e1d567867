import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database.ts'
import type { Gathering } from '#base/server/gather.ts'
import { invalidate } from '#base/server/invalidation.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

const atOnce = 5_000

/** Adds what was liked in the last seconds to the counts, and drops the pages that show them: once, however many liked. */
export const likeCounts: Gathering = {
  name: 'likes',
  async write(database: Database) {
    const { rows } = await sql`select from like_change limit 1`.execute(database.app)
    if (rows.length > 0) while ((await transact(database, countLikes)) === atOnce);
  },
}

/** Counts what changed since it was done last, and gives how many changes there were. One process counts at a time, for a count that goes down must not come before the one that went up. */
export async function countLikes(tx: Db): Promise<number> {
  const {
    rows: [turn],
  } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(hashtext('likes')) as "isOurs"`.execute(tx)
  if (!turn?.isOurs) return 0
  const heat = posts.heatOf(await setting.all(tx), { likes: sql`(topic.like_count + more)` })
  const { rows } = await sql<{ taken: number; topicId: string | null }>`
    with taken as (
      delete from like_change where id in (select id from like_change order by id limit ${atOnce}) returning post_kind, post_id, delta
    ), counted as (
      select post_kind, post_id, sum(delta)::int as more from taken group by post_kind, post_id having sum(delta) <> 0
    ), topics as (
      update topic set like_count = like_count + more, heat = ${heat}
      from counted where post_kind = 'topic' and topic.id = post_id returning topic.id
    ), comments as (
      update comment set like_count = like_count + more from counted where post_kind = 'comment' and comment.id = post_id returning topic_id
    ), replies as (
      update reply set like_count = like_count + more from counted where post_kind = 'reply' and reply.id = post_id returning topic_id
    ), changed (id) as (select id from topics union select topic_id from comments union select topic_id from replies)
    select (select count(*)::int from taken) as taken, changed.id as "topicId" from (select) as once left join changed on true`.execute(tx)
  invalidate(tx, ...rows.flatMap(({ topicId }) => (topicId ? [`topic:${topicId}`] : [])))
  return rows[0]?.taken ?? 0
}
