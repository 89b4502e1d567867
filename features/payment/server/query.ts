import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import type { ProviderName } from '#payment/contract.ts'
import { note } from '#payment/server/inbox.ts'
import { calling } from '#payment/server/provider-health.ts'
import { tellEnded } from '#payment/server/own.ts'
import { providerNamed } from '#payment/server/providers.ts'
import type { OrderLookup, Payment, Placed } from '#payment/server/providers/provider.ts'

/** The minutes after which a provider is queried again about an order without a notification. */
const waits = [1, 5, 15, 60]

const atOnce = 50

type Due = { number: string; provider: string; queries: number; isOver: boolean }

/** Queries providers about orders without a notification, and closes expired ones. */
export async function queryDue(database: Database): Promise<void> {
  const failed: unknown[] = []
  for (let due = await claim(database); due.length > 0; due = await claim(database))
    for (const order of due) await ask(database, order).catch((error: unknown) => failed.push(error))
  // A failed query is retried at its next time, and does not hold up the others.
  if (failed.length > 0) throw new AggregateError(failed, `Payments that could not be asked for: ${failed.join('; ')}`)
}

// The next time is stored before the query, so that a crashed process retries, and two processes never query at once.
function claim(database: Database): Promise<Due[]> {
  return transact(database, async (tx) => {
    const { rows } = await sql<Due>`
      update payment_order as its set queries = least(queries + 1, 1000),
        query_at = clock_timestamp() + make_interval(mins => (${waits}::int[])[least(queries + 1, ${waits.length - 1}) + 1])
      from (select id from payment_order where query_at <= clock_timestamp() order by query_at limit ${atOnce} for update skip locked) as due
      where its.id = due.id returning number, provider, queries, expires_at <= clock_timestamp() as "isOver"`.execute(tx)
    return rows
  })
}

/** Queries one order; without an answer it waits for its next time. */
export async function ask(database: Database, order: DueOrder): Promise<void> {
  try {
    await askOrder(database.app, (deed) => transact(database, deed), order)
  } catch (error) {
    // The query is retried at its next time.
    if (!(error instanceof RequestFailed)) throw error
  }
}

type DueOrder = Omit<Due, 'queries'>

/**
 * Queries the provider about an order; null without keys. A payment goes through the inbox like a notification. An expired order is
 * closed at the provider first.
 */
export async function askOrder(
  db: Db,
  inSeparateTransaction: RunInSeparateTransaction,
  { number, provider: name, isOver }: DueOrder,
): Promise<OrderLookup['state'] | null> {
  const provider = await providerNamed(db, name)
  if (!provider) return null
  const placed = await placedOf(db, number)
  const found = await calling(inSeparateTransaction, provider.name, () => provider.query(number, placed))
  if (found.state === 'paid') await inSeparateTransaction((tx) => noteAnswer(tx, provider.name, found.payment))
  else if (found.state === 'closed' || (isOver && (found.state === 'unknown' || (await provider.close(number, placed)))))
    await inSeparateTransaction((tx) => close(tx, number))
  return found.state
}

/** Our data for a query about an order. */
export function placedOf(db: Db, number: string): Promise<Placed> {
  return db
    .selectFrom('payment_order')
    .select([sql<string | null>`started ->> 'session'`.as('session'), 'created_at as at'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
}

async function noteAnswer(tx: Db, provider: ProviderName, payment: Payment): Promise<void> {
  const told = { ...payment, cents: String(payment.cents) }
  await note(
    tx,
    provider,
    { eventId: `query:${payment.providerNumber}`, kind: 'paid', payment },
    { headers: {}, body: Buffer.from(JSON.stringify(told)) },
  )
}

/** Schedules the next query of an order immediately. */
export async function askAtOnce(tx: Db, number: string): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set({ query_at: sql`clock_timestamp()` })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .execute()
}

/** Closes an unpaid order. Returns false if it has ended. */
export async function close(tx: Db, number: string): Promise<boolean> {
  const closed = await tx
    .updateTable('payment_order')
    .set({ state: 'closed', closed_at: sql`clock_timestamp()`, query_at: null })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .returning('member_id')
    .executeTakeFirst()
  if (closed) tellEnded(tx, closed.member_id)
  return closed !== undefined
}
