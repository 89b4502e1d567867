import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { rewardRules, type RewardRule } from '#wallet/contract.ts'
import { termOf } from '#wallet/server/reward.ts'

type RuleToday = { points: number; /** Per day; null without a limit. */ most: number | null; today: number }

export type RewardsToday = { rules: Record<RewardRule, RuleToday>; most: number | null; today: number }

/** The rules, with the points that a member earned by each on the current day of limits. */
export async function rewardsToday(db: Db, memberId: string): Promise<RewardsToday> {
  const [settings, rows] = await Promise.all([
    setting.all(db),
    db
      .selectFrom('reward')
      .select(['rule', sql<number>`sum(points)::int`.as('points')])
      .where('member_id', '=', memberId)
      .where('day', '=', sql<Date>`site_day(clock_timestamp())`)
      .groupBy('rule')
      .execute(),
  ])
  const earned = new Map(rows.map(({ rule, points }) => [rule, points]))
  const termFor = (rule: RewardRule): [RewardRule, RuleToday] => [rule, { ...termOf(settings, rule), today: earned.get(rule) ?? 0 }]
  return {
    rules: Object.fromEntries(rewardRules.map(termFor)) as RewardsToday['rules'],
    most: settings.pointsPerDay || null,
    today: rows.reduce((sum, { points }) => sum + points, 0),
  }
}
