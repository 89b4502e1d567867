import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import { NoAnswer } from '#base/server/outbound/safe-fetch.ts'
import type { ProviderName } from '#payment/contract.ts'
import { note } from '#payment/server/inbox.ts'
import { calling } from '#payment/server/provider-health.ts'
import { tellEnded } from '#payment/server/own.ts'
import { providerNamed } from '#payment/server/providers.ts'
import type { OrderLookup, Payment, Placed } from '#payment/server/providers/provider.ts'

/** In how many minutes a provider is asked again for an order that it has told nothing of. */
const waits = [1, 5, 15, 60]

const atOnce = 50

type Due = { number: string; provider: string; queries: number; isOver: boolean }

/** Asks providers for orders whose notification never came, and closes those whose time is over. */
export async function queryDue(database: Database): Promise<void> {
  const failed: unknown[] = []
  for (let due = await claim(database); due.length > 0; due = await claim(database))
    for (const order of due) await ask(database, order).catch((error: unknown) => failed.push(error))
  // One that fails is asked again when its time comes, and keeps no other waiting.
  if (failed.length > 0) throw new AggregateError(failed, `Payments that could not be asked for: ${failed.join('; ')}`)
}

// The next time is written before the provider is asked, so that a process that dies asks again, and two never ask at once.
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

/** Asks for one order, or leaves it until its time comes again. */
export async function ask(database: Database, order: DueOrder): Promise<void> {
  try {
    await askOrder(database.app, (deed) => transact(database, deed), order)
  } catch (error) {
    // It is asked again when its time comes.
    if (!(error instanceof NoAnswer)) throw error
  }
}

type DueOrder = Omit<Due, 'queries'>

/**
 * What the provider says of an order; null where it has no keys. What was paid goes through the inbox as a notification does. An order that is over is
 * closed with the provider first.
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

/** What a provider is told of an order that it is asked for. */
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

/** Lets the next look ask the provider for an order. */
export async function askAtOnce(tx: Db, number: string): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set({ query_at: sql`clock_timestamp()` })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .execute()
}

/** Lets an order end that nobody paid. False where it has ended. */
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
