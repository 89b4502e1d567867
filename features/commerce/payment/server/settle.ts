import { sql } from 'kysely'
import { allOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import { applyDispute } from '#payment/server/dispute.ts'
import { EventFacts, releaseEvents } from '#payment/server/inbox.ts'
import { lockOrder, lockProviderPayment, type Order } from '#payment/server/lock-payment.ts'
import { notifyEnded } from '#payment/server/member-payments.ts'
import { findProvider, isSandboxOver } from '#payment/server/providers.ts'
import { closeOrder } from '#payment/server/query.ts'
import { currentAccount } from '#payment/server/refund.ts'
import { applyRefund } from '#payment/server/reported-refund.ts'
import type { EventProblem } from '#payment/staff-views.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Event = { id: string; provider: string; kind: string; facts: unknown }

/**
 * Processes the inbox, each event in its own transaction; several processes share the work. A failed event does not hold up the others,
 * and is retried on the next run.
 */
export async function processInbox(database: Database): Promise<void> {
  const failed = new Map<string, unknown>()
  while (await processNext(database, failed)) {
    // The condition does the work.
  }
  if (failed.size > 0) throw new AggregateError(failed.values(), `Events that could not be worked off: ${[...failed.keys()].join(', ')}`)
}

async function processNext(database: Database, failed: Map<string, unknown>): Promise<boolean> {
  let id: string | null = null
  try {
    return await transact(database, async (tx) => {
      id = null
      const event = await lockNext(tx, [...failed.keys()])
      if (!event) return false
      id = event.id
      await processEvent(tx, event)
      return true
    })
  } catch (error) {
    if (id === null) throw error
    failed.set(id, error)
    return true
  }
}

/** The next event, locked. Null if there is none, or the ledger is frozen: then all events wait. */
async function lockNext(tx: Db, failed: readonly string[]): Promise<Event | null> {
  const event = await tx
    .selectFrom('payment_event')
    .select(['id', 'provider', 'kind', 'facts'])
    .where('state', '=', 'new')
    .where('id', '<>', allOf(failed))
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return event && !(await wallet.isFrozen(tx)) ? event : null
}

async function processEvent(tx: Db, event: Event): Promise<void> {
  const problem = await applyEvent(tx, event)
  await tx
    .updateTable('payment_event')
    .set({ state: problem ? 'suspended' : 'done', problem, handled_at: sql`clock_timestamp()` })
    .where('id', '=', event.id)
    .execute()
}

/** Applies an event; returns the problem if it cannot. */
async function applyEvent(tx: Db, event: Event): Promise<EventProblem | null> {
  const facts = EventFacts.parse(event.facts)
  if (event.kind === 'closed' && facts.number !== null) await closeOrder(tx, facts.number)
  if (event.kind === 'refund') return applyRefund(tx, event, facts)
  if (event.kind === 'dispute') return applyDispute(tx, event, facts)
  return event.kind === 'paid' ? applyPayment(tx, event, facts) : null
}

/** Credits a payment, under the order's lock and once. An order that was closed before its payment arrived is credited too. */
async function applyPayment(tx: Db, event: Event, facts: EventFacts): Promise<EventProblem | null> {
  await lockProviderPayment(tx, event.provider, facts.providerNumber)
  const order = facts.number === null ? undefined : await lockOrder(tx, facts.number)
  if (await isSettledByHand(tx, event.provider, facts)) {
    if (order) await closeOrder(tx, order.number)
    return null
  }
  if (!order) return 'unknownOrder'
  const problem = await findMismatch(tx, order, event.provider, facts)
  if (problem) return problem
  if (order.state === 'paid') return order.provider_number === facts.providerNumber ? null : 'paidTwice'
  if (order.isGone) return 'memberGone'
  await credit(tx, order, event, facts)
  await releaseEvents(tx, event.provider, { number: order.number, paymentNumber: facts.providerNumber })
  return null
}

/** Whether staff have credited or returned the same payment by another event. */
async function isSettledByHand(tx: Db, provider: string, { providerNumber }: EventFacts): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select is_settled_by_hand(${provider}, ${providerNumber ?? null}) as is`.execute(tx)
  return rows[0]?.is ?? false
}

async function findMismatch(tx: Db, order: Order, provider: string, facts: EventFacts): Promise<EventProblem | null> {
  if (order.provider !== provider) return 'otherProvider'
  // The payment was begun on the machine of the server, and the site can be reached by others since.
  if (isSandboxOver(provider)) return 'sandbox'
  const us = await (await findProvider(tx, provider))?.identity()
  if (facts.currency !== 'CNY') return 'otherCurrency'
  if (facts.cents !== order.cents) return 'otherAmount'
  if (facts.seller !== us?.seller) return 'otherSeller'
  return facts.app === us?.app ? null : 'otherApp'
}

async function credit(tx: Db, { id, number, member_id, provider, cents }: Order, event: Event, facts: EventFacts): Promise<void> {
  const to = await currentAccount(tx, member_id)
  const { id: transactionId } = await wallet.credit(tx, {
    to,
    account: 'clearing',
    label: provider,
    currency: 'cny',
    amount: toMinor(cents),
    kind: 'topUp',
    source: `payment:${number}`,
    by: { kind: 'forum' },
    providerNumber: facts.providerNumber,
  })
  await tx
    .updateTable('payment_order')
    .set({
      state: 'paid',
      paid_at: sql`clock_timestamp()`,
      taken_at: facts.paidAt ?? sql`clock_timestamp()`,
      provider_number: facts.providerNumber ?? null,
      event_id: event.id,
      transaction_id: transactionId,
      query_at: null,
    })
    .where('id', '=', id)
    .execute()
  notifyEnded(tx, to)
}
