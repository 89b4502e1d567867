import { sql, type RawBuilder } from 'kysely'
import type { Settings } from '#setting/contract.ts'

type HeatCounts = {
  comments?: RawBuilder<unknown>
  views?: RawBuilder<unknown>
  likes?: RawBuilder<unknown>
  /** The author of the post that is being written. */
  writer?: string
}

/** The factor for topics with fewer writers than the minimum. */
const fewWritersFactor = 0.01

/**
 * The only formula of a topic's heat: comments, likes and views, divided by a power of its age in hours; zero once it was sunk. A
 * topic needs `minHeatPeople` writers other than its author, and an age below `minHeatHours` counts as that. Counts that are
 * about to change are passed as they will be.
 */
export function heatOf(
  { heatPerComment, heatPerLike, heatPerView, heatGravity, minHeatPeople, minHeatHours }: Settings,
  { comments = sql`topic.comment_count`, views = sql`topic.view_count`, likes = sql`topic.like_count`, writer }: HeatCounts = {},
): RawBuilder<number> {
  const weighed = sql`${comments} * ${heatPerComment}::float8 + ${likes} * ${heatPerLike}::float8 + ${views} * ${heatPerView}::float8`
  const warmth = sql`greatest(${weighed} - 1, 0)`
  const hours = sql`greatest(extract(epoch from clock_timestamp() - topic.published_at)::float8 / 3600, ${minHeatHours}::float8)`
  const people = sql`count_participants(topic.id, topic.author_id, ${writer ?? null}::bigint, ${minHeatPeople}::int)`
  const share = sql`case when ${people} < ${minHeatPeople}::int then ${fewWritersFactor}::float8 else 1 end`
  return sql<number>`case when topic.sunk_at is null then ${share} * ${warmth} / power(${hours} + 2, ${heatGravity}::float8) else 0 end`
}
