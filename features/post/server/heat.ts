import { sql, type RawBuilder } from 'kysely'
import type { Settings } from '#setting/contract.ts'

/** How much a topic is talked of and looked at, less with every hour since it was published; nothing once it was sunk. Takes the counts as they will be. */
export function heatOf(settings: Settings, comments: RawBuilder<unknown>, views: RawBuilder<unknown>): RawBuilder<number> {
  const { heatPerComment, heatPerView, heatGravity } = settings
  const warmth = sql`greatest(${comments} * ${heatPerComment}::float8 + ${views} * ${heatPerView}::float8 - 1, 0)`
  const hours = sql`greatest(extract(epoch from clock_timestamp() - topic.published_at)::float8 / 3600, 0)`
  return sql<number>`case when topic.sunk_at is null then ${warmth} / power(${hours} + 2, ${heatGravity}::float8) else 0 end`
}
