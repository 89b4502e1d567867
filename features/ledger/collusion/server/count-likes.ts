import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { since } from '#collusion/server/period.ts'
import type { Piece } from '#collusion/server/piece.ts'

const most = 500

/** Counts all likes of each member who liked something since the last search. */
export async function countLikes(tx: Db, settledSeconds: number): Promise<Piece> {
  const { rows } = await sql<{ count: number; until: string | null }>`
    select count(*)::int as count, max(at)::text as until from (
      select at from post_like where at > (select liked_at from collusion_progress for update)
        and at <= clock_timestamp() - ${settledSeconds} * interval '1 second' order by at limit ${most}) as fresh`.execute(tx)
  const { count, until } = rows[0] ?? { count: 0, until: null }
  if (until === null) return { givers: [], isMore: false }
  const { rows: fresh } = await sql<{ id: string }>`
    select distinct member_id as id from post_like where at > (select liked_at from collusion_progress) and at <= ${until}::timestamptz
      and not exists (select from collusion_flow where from_id = member_id and measure = 'likes' and last_at >= post_like.at)`.execute(tx)
  const givers = fresh.map(({ id }) => id)
  await countAgain(tx, givers)
  await sql`update collusion_progress set liked_at = ${until}::timestamptz`.execute(tx)
  return { givers, isMore: count === most }
}

async function countAgain(tx: Db, givers: readonly string[]): Promise<void> {
  await sql`delete from collusion_flow where measure = 'likes' and from_id = ${anyOf(givers)}`.execute(tx)
  await sql`
    insert into collusion_flow (from_id, to_id, measure, day, amount, times, transaction_ids, first_at, last_at)
    select member_id, author_id, 'likes', (at at time zone 'UTC')::date, count(*), count(*), '{}', min(at), max(at)
    from (${likesOf(givers, since)}) as likes group by 1, 2, 4`.execute(tx)
}

/** The likes of members for others since a moment, each with the author of what is liked. */
export function likesOf(givers: readonly string[], after: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select post_like.member_id, post.author_id, post_like.at from post_like cross join lateral (
      select author_id from topic where post_kind = 'topic' and topic.id = post_id
      union all select author_id from comment where post_kind = 'comment' and comment.id = post_id
      union all select author_id from reply where post_kind = 'reply' and reply.id = post_id) as post
    where post_like.member_id = ${anyOf(givers)} and post_like.at > ${after} and post.author_id <> post_like.member_id`
}
