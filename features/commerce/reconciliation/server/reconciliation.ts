import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import * as payment from '#payment/server/payment.ts'
import type { paymentsWaiting, ProviderHealth } from '#reconciliation/contract.ts'
import { countFailures } from '#reconciliation/server/statement-failures.ts'

// The largest number that a page shows.
const countedTo = 1_000

/** The numbers of events, disputes, refunds and differences that wait for staff. */
export async function waitingForStaff(db: Db): Promise<Output<typeof paymentsWaiting>> {
  const [payments, differences] = await Promise.all([
    payment.waitingForStaff(db),
    countUpTo(db, db.selectFrom('payment_difference').where('state', '=', 'open'), countedTo),
  ])
  return { ...payments, differences }
}

/** The health of providers: of their payments and of their statements. */
export async function health(db: Db): Promise<ProviderHealth[]> {
  const failures = await countFailures(db)
  const providers = await payment.health(db, [...failures.keys()])
  return providers.map((its) => ({ ...its, failedStatements: failures.get(its.name) ?? 0 }))
}
