import { sql, type RawBuilder } from 'kysely'
import type { Settings } from '#setting/contract.ts'

type Change = {
  comments?: RawBuilder<unknown>
  views?: RawBuilder<unknown>
  likes?: RawBuilder<unknown>
  /** Who writes there now. */
  writer?: string
}

/** What fewer people spoke in than it takes to be hot is so much colder. */
const ofFew = 0.01

/**
 * The one rule of what is hot: how much a topic is talked of, liked and looked at, less with every hour since it was published; nothing once
 * it was sunk. Nobody makes a topic hot alone: it takes `heatLeastPeople` other than its author who wrote there. Nor is it hot for being new:
 * it counts as `heatLeastHours` old at the least. Takes the counts that are about to change as they will be.
 */
export function heatOf(
  { heatPerComment, heatPerLike, heatPerView, heatGravity, heatLeastPeople, heatLeastHours }: Settings,
  { comments = sql`topic.comment_count`, views = sql`topic.view_count`, likes = sql`topic.like_count`, writer }: Change = {},
): RawBuilder<number> {
  const weighed = sql`${comments} * ${heatPerComment}::float8 + ${likes} * ${heatPerLike}::float8 + ${views} * ${heatPerView}::float8`
  const warmth = sql`greatest(${weighed} - 1, 0)`
  const hours = sql`greatest(extract(epoch from clock_timestamp() - topic.published_at)::float8 / 3600, ${heatLeastHours}::float8)`
  const people = sql`people_in(topic.id, topic.author_id, ${writer ?? null}::bigint, ${heatLeastPeople}::int)`
  const share = sql`case when ${people} < ${heatLeastPeople}::int then ${ofFew}::float8 else 1 end`
  return sql<number>`case when topic.sunk_at is null then ${share} * ${warmth} / power(${hours} + 2, ${heatGravity}::float8) else 0 end`
}
