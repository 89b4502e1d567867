import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ProviderName } from '#payment/contract.ts'
import { closeOthers, releaseEvents, type EventFacts } from '#payment/server/inbox.ts'
import { lockPaid, type Order } from '#payment/server/lock-payment.ts'
import { creditBack, currentAccount, newNumber, notifyRefunded, scheduleRefund } from '#payment/server/refund.ts'
import { answerByRefund } from '#payment/server/refund-request.ts'
import { unbookedCents } from '#payment/server/refund-sum.ts'
import type { EventProblem } from '#payment/staff-views.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Event = { id: string; provider: string }

/**
 * Applies what a provider tells of a refund. The state of our own is queried; one that somebody made on the provider's own screen is
 * booked as a refund of its payment, once by the provider's number of it. Returns the problem if it cannot.
 */
export async function applyRefund(tx: Db, event: Event, facts: EventFacts): Promise<EventProblem | null> {
  const hasFailed = facts.state === 'failed' || facts.hasFailed === true
  const refundNumber = facts.refundNumber ?? facts.number
  const ours = refundNumber === null ? null : await stateOfOurs(tx, event.provider, refundNumber)
  if (refundNumber !== null && ours !== null && !(ours === 'failed' && facts.state === 'done')) {
    await scheduleRefund(tx, event.provider as ProviderName, refundNumber, hasFailed)
    return null
  }
  const order = await lockPaid(tx, event.provider, facts)
  if (order && order.provider !== event.provider) return 'otherProvider'
  const { providerNumber } = facts
  if (!providerNumber) return 'noAmount'
  const known = await findRefund(tx, event.provider, providerNumber)
  if (hasFailed) return known ? undoRefund(tx, order, known) : null
  const isAnother = known !== undefined && isLargerSum(known, facts)
  if (known && known.state !== 'failed' && !isAnother) return null
  const failure = await lastFailure(tx, event.provider, providerNumber)
  const isFailed = failure !== null || ours === 'failed' || known?.state === 'failed'
  if (isFailed && (facts.state === 'open' || isTold(facts, 'before', failure))) return null
  if (isFailed && !isTold(facts, 'after', failure)) return 'failedBefore'
  if (order?.state !== 'paid') return (await returnSuspended(tx, event, facts)) ? null : order ? 'notPaid' : 'unknownOrder'
  return bookReported(tx, order, event, { ...facts, providerNumber }, isAnother)
}

/** The state of a refund that we requested; null if we did not. */
async function stateOfOurs(tx: Db, provider: string, number: string): Promise<string | null> {
  const row = await tx
    .selectFrom('payment_refund')
    .select('state')
    .where('number', '=', number)
    .where('provider', '=', provider)
    .where('reported_by', 'is', null)
    .executeTakeFirst()
  return row?.state ?? null
}

type BookedRefund = {
  id: string
  number: string
  cents: string
  provider: string
  state: string
  reason: string
  transaction_id: string | null
  /** The sum of all refunds with which it was told of. */
  allCents: string | null
}

/** The last refund that is booked under the provider's number of it, locked. */
export async function findRefund(tx: Db, provider: string, providerNumber: string): Promise<BookedRefund | undefined> {
  const { rows } = await sql<BookedRefund>`
    select id, number, cents, provider, state, reason, transaction_id,
      (select facts ->> 'allCents' from payment_event as event where event.id = reported_by) as "allCents"
    from payment_refund as back where provider = ${provider} and (provider_number = ${providerNumber} or reported_by in (
      select id from payment_event as event where event.provider = ${provider} and kind = 'refund' and facts ->> 'providerNumber' = ${providerNumber}))
    order by id desc limit 1 for update`.execute(tx)
  return rows[0]
}

/** Whether a refund is one more under the number of another, which Alipay does not give to all of them: its sum has grown. */
function isLargerSum({ allCents: known }: BookedRefund, { allCents }: EventFacts): boolean {
  return known !== null && allCents !== undefined && BigInt(allCents) > BigInt(known)
}

/** Whether all that an event tells of is booked under its number. */
export async function isBooked(tx: Db, provider: string, facts: EventFacts & { providerNumber: string }): Promise<boolean> {
  const known = await findRefund(tx, provider, facts.providerNumber)
  return known !== undefined && known.state !== 'failed' && !isLargerSum(known, facts)
}

/** A refund that failed at the provider's own screen: its amount returns to the balance, if it was taken from one. */
async function undoRefund(tx: Db, order: Order | null, { id, number, state, ...refund }: BookedRefund): Promise<EventProblem | null> {
  if (state !== 'done') return null
  const wasTaken = refund.transaction_id !== null
  if (wasTaken && !order) return 'unknownOrder'
  const undone_by = wasTaken && order ? await creditBack(tx, number, order.member_id, refund) : null
  await tx
    .updateTable('payment_refund')
    .set({ state: 'failed', ended_at: sql`clock_timestamp()`, undone_by })
    .where('id', '=', id)
    .execute()
  if (!wasTaken || !order) return null
  await notifyRefunded(tx, { ...refund, member_id: order.member_id }, 'failed')
  await releaseEvents(tx, order.provider, { number: order.number, paymentNumber: order.provider_number ?? undefined })
  return null
}

/** When a refund was last told to have failed; of an event that an earlier version stored the time is not known. */
async function lastFailure(tx: Db, provider: string, providerNumber: string): Promise<{ at: string | null } | null> {
  const { rows } = await sql<{ at: string | null }>`
    select facts ->> 'toldAt' as at from payment_event where provider = ${provider} and kind = 'refund'
      and facts ->> 'providerNumber' = ${providerNumber} and facts ->> 'state' = 'failed' order by facts ->> 'toldAt' desc nulls last limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Whether an event was made before or after a failure, by the provider's clock. Events do not come in their order. */
function isTold({ toldAt }: EventFacts, place: 'before' | 'after', failure: { at: string | null } | null): boolean {
  if (!toldAt || !failure?.at) return false
  return place === 'before' ? toldAt < failure.at : toldAt > failure.at
}

async function bookReported(
  tx: Db,
  order: Order,
  event: Event,
  facts: EventFacts & { providerNumber: string },
  isAnother: boolean,
): Promise<EventProblem | null> {
  if (facts.currency !== 'CNY') return 'otherCurrency'
  const told = facts.cents === undefined || isAnother ? null : BigInt(facts.cents)
  const cents = await unbookedCents(tx, order, facts, told)
  if (cents === null) return 'noAmount'
  if (cents <= 0n) return null
  if (cents > (await unrefundedCents(tx, order.id))) return 'abovePayment'
  await bookRefund(tx, order, event, { facts, cents, by: { kind: 'forum' }, reason: '' })
  return null
}

/** The paid amount of an order without its refunds. A provider may refund what a bank disputes, and then has both. */
export async function unrefundedCents(tx: Db, orderId: string): Promise<bigint> {
  const { rows } = await sql<{ cents: string }>`
    select cents - (select coalesce(sum(back.cents), 0) from payment_refund as back where order_id = paid.id and back.state <> 'failed') as cents
    from payment_order as paid where id = ${orderId}`.execute(tx)
  return BigInt(rows[0]?.cents ?? 0)
}

type Booking = { facts: EventFacts & { providerNumber: string }; cents: bigint; by: wallet.Actor; reason: string }

/** Debits a refund that the provider has made already. The member may owe it. */
export async function bookRefund(tx: Db, order: Order, event: Event, { facts, cents, by, reason }: Booking): Promise<string> {
  const number = await newNumber(tx)
  const { id: transactionId } = await wallet.debit(tx, {
    from: await currentAccount(tx, order.member_id),
    account: 'clearing',
    label: order.provider,
    currency: 'cny',
    amount: toMinor(cents),
    kind: 'topUpRefund',
    source: `refund:${number}`,
    by,
    reason: reason || undefined,
    owes: true,
  })
  const row = { order_id: order.id, transaction_id: transactionId, cents: String(cents), reason }
  await insertReported(tx, event, { ...row, number }, facts)
  await closeOthers(tx, event.provider, 'refund', facts.providerNumber, facts.allCents)
  await answerByRefund(tx, order.id, by)
  await notifyRefunded(tx, { member_id: order.member_id, cents: row.cents, reason }, 'done')
  return transactionId
}

type ReportedRow = { number: string; cents: string; reason: string; order_id?: string; event_id?: string; transaction_id?: string }

async function insertReported(tx: Db, event: Event, row: ReportedRow, { providerNumber, paidAt }: EventFacts): Promise<void> {
  const isTaken = providerNumber !== undefined && (await findRefund(tx, event.provider, providerNumber)) !== undefined
  await tx
    .insertInto('payment_refund')
    .values({
      ...row,
      provider: event.provider,
      // One more under the same number bears that of its event too.
      provider_number: isTaken ? `${providerNumber}/${event.id}` : (providerNumber ?? null),
      state: 'done',
      ended_at: sql`clock_timestamp()`,
      returned_at: paidAt ?? sql`clock_timestamp()`,
      try_at: null,
      reported_by: event.id,
    })
    .execute()
}

/** Settles a payment that was never credited, and that the provider has refunded as a whole. */
async function returnSuspended(tx: Db, event: Event, { paymentNumber, cents, allCents, currency, ...facts }: EventFacts): Promise<boolean> {
  const amount = cents ?? allCents
  if (!paymentNumber || amount === undefined || currency !== 'CNY') return false
  const { rows } = await sql<{ id: string }>`
    select id from payment_event as event where provider = ${event.provider} and kind = 'paid' and state = 'suspended'
      and facts ->> 'providerNumber' = ${paymentNumber} and facts ->> 'currency' = 'CNY' and facts ->> 'cents' = ${amount}
      and not is_settled_by_hand(provider, facts ->> 'providerNumber', id)
    order by id limit 1 for update`.execute(tx)
  const [paid] = rows
  if (!paid) return false
  await tx
    .updateTable('payment_event')
    .set({ state: 'returned', handled_at: sql`clock_timestamp()` })
    .where('id', '=', paid.id)
    .execute()
  await insertReported(tx, event, { number: await newNumber(tx), event_id: paid.id, cents: amount, reason: '' }, facts)
  return true
}
