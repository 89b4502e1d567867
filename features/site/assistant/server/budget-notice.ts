import { sql } from 'kysely'
import { warnPercent } from '#assistant/usage-contract.ts'
import { budgetOf } from '#assistant/server/assistant.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import * as staff from '#staff/server/staff.ts'

/** Notifies staff who manage the assistant that the month's budget is nearly or fully spent: of each once a month. */
export async function notifyBudget(database: Database): Promise<void> {
  const { month, state, share } = await budgetOf(database.app)
  if (state !== 'warned' && state !== 'stopped') return
  const percent = state === 'stopped' ? 100 : warnPercent
  await transact(database, async (tx) => {
    const { numAffectedRows } = await sql`
      update assistant_month set told = ${percent} where month = to_date(${month}, 'YYYY-MM') and told < ${percent}`.execute(tx)
    if (numAffectedRows === 0n) return
    await notification.notify(tx, await staff.membersWithRight(tx, 'assistant.manage'), { kind: 'assistantBudget', state, share })
  })
}
