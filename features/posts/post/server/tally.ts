import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { invalidate, onlyAddedTag } from '#base/server/cache/invalidation.ts'
import { heatOf } from '#post/server/heat.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

const batchSize = 5_000

/** Applies the likes and favourites of the last seconds to the counters, and invalidates the pages with them once. */
export const tallies: BufferedWriter = {
  name: 'likes and favourites',
  async write(database: Database) {
    const { rows } = await sql`select from tally limit 1`.execute(database.app)
    if (rows.length > 0) while ((await transact(database, applyTallies)) === batchSize);
  },
}

/**
 * Applies pending changes to the counters and returns their number. One process at a time, since a decrement must not precede its
 * increment.
 */
export async function applyTallies(tx: Db): Promise<number> {
  const {
    rows: [lock],
  } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(hashtext('tally')) as "isOurs"`.execute(tx)
  if (!lock?.isOurs) return 0
  const rewardsLikes = await wallet.mayRewardLikes(tx)
  const heat = heatOf(await setting.all(tx), { likes: sql`(topic.like_count + likes)` })
  const { rows } = await sql<{ taken: number; topicId: string | null; likes: wallet.LikeChange[] | null }>`
    with taken as (
      delete from tally where id in (select id from tally order by id limit ${batchSize}) returning of, post_kind, post_id, delta, members
    ), counted as (
      select post_kind, post_id, coalesce(sum(delta) filter (where of = 'like'), 0)::int as likes,
        coalesce(sum(delta) filter (where of = 'favourite'), 0)::int as favourites
      from taken group by post_kind, post_id
    ), topics as (
      update topic set like_count = like_count + likes, favourite_count = favourite_count + favourites, heat = ${heat}
      from counted where post_kind = 'topic' and topic.id = post_id and (likes, favourites) <> (0, 0) returning topic.id
    ), comments as (
      update comment set like_count = like_count + likes from counted
      where post_kind = 'comment' and comment.id = post_id and likes <> 0 returning topic_id
    ), replies as (
      update reply set like_count = like_count + likes from counted
      where post_kind = 'reply' and reply.id = post_id and likes <> 0 returning topic_id
    ), changed (id) as (select id from topics union select topic_id from comments union select topic_id from replies)
    select (select count(*)::int from taken) as taken, changed.id as "topicId",
      case when row_number() over () = 1 and ${rewardsLikes} then (
        select json_agg(json_build_object('kind', post_kind, 'id', post_id::text, 'liker', liker::text)) from taken, unnest(members) as liker where of = 'like'
      ) end as likes
    from (select) as once left join changed on true`.execute(tx)
  const changed = rows.flatMap(({ topicId }) => (topicId ? [`topic:${topicId}`] : []))
  if (changed.length > 0) invalidate(tx, onlyAddedTag, ...changed)
  await wallet.rewardLikes(tx, rows[0]?.likes ?? [])
  return rows[0]?.taken ?? 0
}
