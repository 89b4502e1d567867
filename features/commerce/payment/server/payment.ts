import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import { providerNames } from '#payment/contract.ts'
import type { PaymentHealth } from '#payment/event-contract.ts'
import { keyTests } from '#payment/server/provider-health.ts'
import { isSetUp, enabledProviders } from '#payment/server/providers.ts'

export { findProvider } from '#payment/server/providers.ts'
export { UnreadableStatement, type Provider, type StatementLine } from '#payment/server/providers/provider.ts'
export { tryQuery } from '#payment/server/query.ts'
export { scheduleRefund } from '#payment/server/refund.ts'
export { yuan } from '#payment/server/yuan.ts'

// The largest number that a page shows.
const countedTo = 1_000

/** The numbers of events, disputes and refunds that wait for staff. */
export async function waitingForStaff(db: Db): Promise<{ events: number; disputes: number; refunds: number }> {
  const [events, disputes, failedRefunds, refundRequests] = await Promise.all([
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
  ])
  return { events, disputes, refunds: failedRefunds + refundRequests }
}

type ProviderCounts = { provider: string; inboxSeconds: number | null } & Record<
  'suspended' | 'unreadable' | 'lateOrders' | 'lateRefunds',
  string
>

/** The health of payments by provider: enabled ones, others with pending work, and those named. */
export async function health(db: Db, named: readonly string[] = []): Promise<PaymentHealth[]> {
  const [on, setUp, known, { rows }] = await Promise.all([
    enabledProviders(db),
    isSetUp(db),
    keyTests(db),
    sql<ProviderCounts>`
      select provider, max(new_for) as "inboxSeconds", sum(suspended) as suspended, sum(unreadable) as unreadable,
        sum(late_orders) as "lateOrders", sum(late_refunds) as "lateRefunds" from (
        select provider, extract(epoch from now() - min(received_at))::float8 as new_for, 0 as suspended, 0 as unreadable, 0 as late_orders, 0 as late_refunds
          from payment_event where state = 'new' group by provider
        union all select provider, null, count(*), count(*) filter (where problem = 'unreadable'), 0, 0 from payment_event where state = 'suspended' group by provider
        union all select provider, null, 0, 0, count(*), 0 from payment_order
          where state = 'open' and expires_at < now() - interval '1 hour' group by provider
        union all select provider, null, 0, 0, 0, count(*) from payment_refund
          where state = 'asked' and asked_at < now() - interval '1 day' group by provider
      ) as each group by provider`.execute(db),
  ])
  return providerNames
    .filter((name) => on.includes(name) || named.includes(name) || rows.some(({ provider }) => provider === name))
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
      }
    })
}
