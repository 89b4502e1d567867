import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt, sqlDay, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { previewDays, type previewRules } from '#wallet/adjust-contract.ts'
import { rewardRules, type RewardRule } from '#wallet/contract.ts'

type PreviewInput = ParsedInput<typeof previewRules>
type View = Output<typeof previewRules>
type AwardTotals = { rule: RewardRule | null; posts: number; points: number; capped: number; members: number }

/** The points that these rules would have given for the published posts of the last days, beside those in force. */
export async function preview(db: Db, proposed: PreviewInput): Promise<View> {
  const settings = await setting.all(db)
  const since = startOfDay(addDays(dayAt(Date.now(), settings.timeZone), 1 - previewDays), settings.timeZone)
  const actions = rewardedActions(since, settings.timeZone)
  const now = await pointsGiven(db, actions, settings)
  const proposedTotals = await pointsGiven(db, actions, proposed)
  const of = (totals: readonly AwardTotals[], rule: RewardRule | null) => totals.find((row) => row.rule === rule)
  const sides = (rule: RewardRule | null) => {
    const [before, after] = [of(now, rule), of(proposedTotals, rule)]
    return { now: before?.points ?? 0, wanted: after?.points ?? 0, cappedNow: before?.capped ?? 0, cappedWanted: after?.capped ?? 0 }
  }
  return {
    rules: rewardRules.map((rule) => ({ rule, posts: of(now, rule)?.posts ?? 0, ...sides(rule) })),
    inAll: { members: of(now, null)?.members ?? 0, ...sides(null) },
  }
}

/** Everything that earns points, by member and day of the site. */
function rewardedActions(since: Date, zone: string): RawBuilder<unknown> {
  const day = sqlDay(sql`at`, zone)
  return sql`
    select rule, author_id, at, ${day} as day, liker_id from (
      select kind::text as rule, author_id, published_at as at, null::bigint as liker_id from topic where status = 'published' and published_at >= ${since}
      union all select case thread_kind when 'question' then 'answer' else 'comment' end, author_id, published_at, null
        from comment where status = 'published' and published_at >= ${since}
      union all select case thread_kind when 'question' then 'answerReply' else 'reply' end, author_id, published_at, null
        from reply where status = 'published' and published_at >= ${since}
      union all select 'adopted', author_id, adopted_at, null from adoption where adopted_at >= ${since}
      union all select 'liked', post.author_id, at, member_id from post_like cross join lateral (
        select author_id from topic where post_kind = 'topic' and topic.id = post_id and status = 'published'
        union all select author_id from comment where post_kind = 'comment' and comment.id = post_id and status = 'published'
        union all select author_id from reply where post_kind = 'reply' and reply.id = post_id and status = 'published') as post where at >= ${since}
    ) as posts`
}

// Within a day each reward is cut to its rule's limit, then to the overall limit; nothing is given once that is reached.
async function pointsGiven(db: Db, actions: RawBuilder<unknown>, terms: PreviewInput): Promise<AwardTotals[]> {
  const rules = sql.join(
    rewardRules.map((rule) => sql`(${rule}, ${terms[`${rule}Points`]}::bigint, nullif(${terms[`${rule}PointsPerDay`]}::bigint, 0))`),
    sql`, `,
  )
  const { rows } = await sql<AwardTotals>`
    with written as (${actions}), each_by_one as (
      select written.*, most, case when liker_id is null then points else greatest(0, least(points, coalesce(
        nullif(${terms.likedPointsPerDayFromOneMember}::bigint, 0) - points * (row_number() over (partition by author_id, day, liker_id order by at) - 1), points)))
        end as points
      from written join (values ${rules}) as terms (rule, points, most) using (rule)
    ), each_by_rule as (
      select *, greatest(0, least(points, coalesce(
        most - (sum(points) over (partition by author_id, day, rule order by at rows unbounded preceding) - points), points))) as given
      from each_by_one
    ), each_by_all as (
      select *, sum(given) over (partition by author_id, day order by at rows unbounded preceding) - given as before from each_by_rule
    ), given as (
      select *, greatest(0, least(given, coalesce(nullif(${terms.pointsPerDay}::bigint, 0) - before, given))) as final from each_by_all
    ), days as (
      select author_id, day, rule, count(*) as posts, sum(final) as points, max(most) as most, grouping(rule) = 1 as is_all
      from given group by grouping sets ((author_id, day, rule), (author_id, day))
    )
    select rule, sum(posts)::int as posts, sum(points)::float8 as points, count(distinct author_id)::int as members,
      count(distinct author_id) filter (
        where points >= case when is_all then nullif(${terms.pointsPerDay}::bigint, 0) else nullif(most, 0) end)::int as capped
    from days group by is_all, rule`.execute(db)
  return rows
}
