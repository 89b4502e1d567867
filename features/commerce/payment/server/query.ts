import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import type { ProviderName } from '#payment/contract.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import { trackCall } from '#payment/server/provider-health.ts'
import { notifyEnded } from '#payment/server/member-payments.ts'
import { findProvider } from '#payment/server/providers.ts'
import type { OrderLookup, Payment, OrderHint } from '#payment/server/providers/provider.ts'

/** The minutes after which a provider is queried again about an order without a notification. */
const retryMinutes = [1, 5, 15, 60]

const batchSize = 50

type DueQuery = { number: string; provider: string; queries: number; isOver: boolean }

/** Queries providers about orders without a notification, and closes expired ones. */
export async function queryDue(database: Database): Promise<void> {
  const failed: unknown[] = []
  for (let due = await claimDue(database); due.length > 0; due = await claimDue(database))
    for (const order of due) await tryQuery(database, order).catch((error: unknown) => failed.push(error))
  // A failed query is retried at its next time, and does not hold up the others.
  if (failed.length > 0) throw new AggregateError(failed, `Payments that could not be asked for: ${failed.join('; ')}`)
}

// The next time is stored before the query, so that a crashed process retries, and two processes never query at once.
function claimDue(database: Database): Promise<DueQuery[]> {
  return transact(database, async (tx) => {
    const { rows } = await sql<DueQuery>`
      update payment_order as its set queries = least(queries + 1, 1000),
        query_at = clock_timestamp() + make_interval(mins => (${retryMinutes}::int[])[least(queries + 1, ${retryMinutes.length - 1}) + 1])
      from (select id from payment_order where query_at <= clock_timestamp() order by query_at limit ${batchSize} for update skip locked) as due
      where its.id = due.id returning number, provider, queries, expires_at <= clock_timestamp() as "isOver"`.execute(tx)
    return rows
  })
}

/** Queries one order; without an answer it waits for its next time. */
export async function tryQuery(database: Database, order: DueOrder): Promise<void> {
  try {
    await queryOrder(database.app, (action) => transact(database, action), order)
  } catch (error) {
    // The query is retried at its next time.
    if (!(error instanceof RequestFailed)) throw error
  }
}

type DueOrder = Omit<DueQuery, 'queries'>

/**
 * Queries the provider about an order; null without keys. A payment goes through the inbox like a notification. An expired order is
 * closed at the provider first.
 */
export async function queryOrder(
  db: Db,
  inSeparateTransaction: RunInSeparateTransaction,
  { number, provider: name, isOver }: DueOrder,
): Promise<OrderLookup['state'] | null> {
  const provider = await findProvider(db, name)
  if (!provider) return null
  const hint = await orderHint(db, number)
  const found = await trackCall(inSeparateTransaction, provider.name, () => provider.query(number, hint))
  if (found.state === 'paid') await inSeparateTransaction((tx) => storePayment(tx, provider.name, found.payment))
  else if (found.state === 'closed' || (isOver && (found.state === 'unknown' || (await provider.close(number, hint)))))
    await inSeparateTransaction((tx) => closeOrder(tx, number))
  return found.state
}

/** Our data for a query about an order. */
export function orderHint(db: Db, number: string): Promise<OrderHint> {
  return db
    .selectFrom('payment_order')
    .select([sql<string | null>`started ->> 'session'`.as('session'), 'created_at as at'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
}

async function storePayment(tx: Db, provider: ProviderName, payment: Payment): Promise<void> {
  const content = { ...payment, cents: String(payment.cents) }
  await storeEvent(
    tx,
    provider,
    { eventId: `query:${payment.providerNumber}`, kind: 'paid', payment },
    { headers: {}, body: Buffer.from(JSON.stringify(content)) },
  )
}

/** Schedules the next query of an order immediately. */
export async function scheduleQuery(tx: Db, number: string): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set({ query_at: sql`clock_timestamp()` })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .execute()
}

/** Closes an unpaid order. Returns false if it has ended. */
export async function closeOrder(tx: Db, number: string): Promise<boolean> {
  const closed = await tx
    .updateTable('payment_order')
    .set({ state: 'closed', closed_at: sql`clock_timestamp()`, query_at: null })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .returning('member_id')
    .executeTakeFirst()
  if (closed) notifyEnded(tx, closed.member_id)
  return closed !== undefined
}
