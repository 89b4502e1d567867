import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import { providerNames } from '#payment/contract.ts'
import type { paymentsWaiting, ProviderHealth } from '#payment/event-contract.ts'
import { keyTests } from '#payment/server/provider-health.ts'
import { isToldOf } from '#payment/server/statement-failures.ts'
import { isSetUp, enabledProviders } from '#payment/server/providers.ts'

// The largest number that a page shows.
const countedTo = 1_000

/** The numbers of events, disputes, refunds and differences that wait for staff. */
export async function waitingForStaff(db: Db): Promise<Output<typeof paymentsWaiting>> {
  const [suspended, disputes, failedRefunds, refundRequests, differences] = await Promise.all([
    countUpTo(db, db.selectFrom('payment_event').where('state', '=', 'suspended'), countedTo),
    countUpTo(db, db.selectFrom('payment_dispute').where('state', '=', 'open'), countedTo),
    countUpTo(
      db,
      db
        .selectFrom('payment_refund')
        .where('state', '=', 'failed')
        .where(sql<boolean>`ended_at > now() - interval '7 days'`),
      countedTo,
    ),
    countUpTo(db, db.selectFrom('payment_refund_request').where('state', '=', 'waiting'), countedTo),
    countUpTo(db, db.selectFrom('payment_difference').where('state', '=', 'open'), countedTo),
  ])
  return { events: suspended, disputes, refunds: failedRefunds + refundRequests, differences }
}

type ProviderCounts = { provider: string; inboxSeconds: number | null } & Record<
  'suspended' | 'unreadable' | 'lateOrders' | 'lateRefunds' | 'failedStatements',
  string
>

/** The health of payments by provider: enabled ones, and others with pending work. */
export async function health(db: Db): Promise<ProviderHealth[]> {
  const [on, setUp, known, { rows }] = await Promise.all([
    enabledProviders(db),
    isSetUp(db),
    keyTests(db),
    sql<ProviderCounts>`
      select provider, max(new_for) as "inboxSeconds", sum(suspended) as suspended, sum(unreadable) as unreadable,
        sum(late_orders) as "lateOrders", sum(late_refunds) as "lateRefunds", sum(failed_statements) as "failedStatements" from (
        select provider, extract(epoch from now() - min(received_at))::float8 as new_for, 0 as suspended, 0 as unreadable, 0 as late_orders, 0 as late_refunds,
            0 as failed_statements
          from payment_event where state = 'new' group by provider
        union all select provider, null, count(*), count(*) filter (where problem = 'unreadable'), 0, 0, 0 from payment_event where state = 'suspended' group by provider
        union all select provider, null, 0, 0, count(*), 0, 0 from payment_order
          where state = 'open' and expires_at < now() - interval '1 hour' group by provider
        union all select provider, null, 0, 0, 0, count(*), 0 from payment_refund
          where state = 'asked' and asked_at < now() - interval '1 day' group by provider
        union all select provider, null, 0, 0, 0, 0, count(*) from payment_statement_failure where ${isToldOf} group by provider
      ) as each group by provider`.execute(db),
  ])
  return providerNames
    .filter((name) => on.includes(name) || rows.some(({ provider }) => provider === name))
    .map((name) => {
      const counts = rows.find(({ provider }) => provider === name)
      const { failures = 0, problem = null, endings = [] } = known.get(name) ?? {}
      return {
        name,
        failures,
        keyProblem: setUp(name) ? problem : ('notSet' as const),
        endings,
        inboxSeconds: counts?.inboxSeconds ?? null,
        suspended: Number(counts?.suspended ?? 0),
        unreadable: Number(counts?.unreadable ?? 0),
        lateOrders: Number(counts?.lateOrders ?? 0),
        lateRefunds: Number(counts?.lateRefunds ?? 0),
        failedStatements: Number(counts?.failedStatements ?? 0),
      }
    })
}
