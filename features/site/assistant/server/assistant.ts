import { sql } from 'kysely'
import { warnPercent, type AssistantHealth, type BudgetView } from '#assistant/usage-contract.ts'
import { failuresBeforeRest, isOn } from '#assistant/server/models.ts'
import { unitsPerCent, costOfMonth } from '#assistant/server/usage.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'

export { counted } from '#assistant/server/counts.ts'
export { readThread, searchForum } from '#assistant/server/forum.ts'
export { addStandIn } from '#assistant/server/models-for-staff.ts'
export { pendingMessageReports } from '#assistant/server/reports-for-staff.ts'
export { running } from '#assistant/server/usage.ts'

/** The health of the assistant; null while it is off. */
export async function health(db: Db): Promise<AssistantHealth> {
  const { allowAssistant } = await setting.all(db)
  if (!allowAssistant) return null
  const [{ rows }, budget] = await Promise.all([
    sql<{ models: number; failing: number }>`
      select count(*)::int as models, count(*) filter (where failures >= ${failuresBeforeRest})::int as failing
      from assistant_model where ${isOn()} and cardinality(jobs) > 0`.execute(db),
    budgetOf(db),
  ])
  return { models: rows[0]?.models ?? 0, failing: rows[0]?.failing ?? 0, budget }
}

/** The spent part of the month's budget. */
export async function budgetOf(db: Db): Promise<BudgetView> {
  const [{ month, cost }, { assistantCentsPerMonth }] = await Promise.all([costOfMonth(db), setting.all(db)])
  const most = BigInt(assistantCentsPerMonth) * unitsPerCent
  const share = most === 0n ? 0 : Number((cost * 100n) / most)
  return { month, spent: yuanOf(cost), most: yuanOf(most), share, state: stateOf(most, cost, share) }
}

function stateOf(most: bigint, cost: bigint, share: number): BudgetView['state'] {
  if (most === 0n) return 'free'
  if (cost >= most) return 'stopped'
  return share >= warnPercent ? 'warned' : 'under'
}

const unitsOfYuan = unitsPerCent * 100n
const decimals = 4

/** Yuan with four decimals, rounded. */
export function yuanOf(cost: bigint): string {
  const unit = unitsOfYuan / 10n ** BigInt(decimals)
  const rounded = String((cost + unit / 2n) / unit).padStart(decimals + 1, '0')
  return `${rounded.slice(0, -decimals)}.${rounded.slice(-decimals)}`
}
