import { sql, type RawBuilder } from 'kysely'
import type { Settings } from '#setting/contract.ts'

type Counts = { comments?: RawBuilder<unknown>; views?: RawBuilder<unknown>; likes?: RawBuilder<unknown> }

/**
 * How much a topic is talked of, liked and looked at, less with every hour since it was published; nothing once it was sunk. Takes the
 * counts that are about to change as they will be.
 */
export function heatOf(
  { heatPerComment, heatPerLike, heatPerView, heatGravity }: Settings,
  { comments = sql`topic.comment_count`, views = sql`topic.view_count`, likes = sql`topic.like_count` }: Counts = {},
): RawBuilder<number> {
  const weighed = sql`${comments} * ${heatPerComment}::float8 + ${likes} * ${heatPerLike}::float8 + ${views} * ${heatPerView}::float8`
  const warmth = sql`greatest(${weighed} - 1, 0)`
  const hours = sql`greatest(extract(epoch from clock_timestamp() - topic.published_at)::float8 / 3600, 0)`
  return sql<number>`case when topic.sunk_at is null then ${warmth} / power(${hours} + 2, ${heatGravity}::float8) else 0 end`
}
