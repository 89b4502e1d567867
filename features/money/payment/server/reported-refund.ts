import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ProviderName } from '#payment/contract.ts'
import { closeOthers, releaseEvents, type EventFacts } from '#payment/server/inbox.ts'
import { lockPaid, type Order } from '#payment/server/lock-payment.ts'
import { creditBack, currentAccount, newNumber, notifyRefunded, scheduleRefund } from '#payment/server/refund.ts'
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
  if (refundNumber !== null && (await isRequested(tx, event.provider, refundNumber))) {
    await scheduleRefund(tx, event.provider as ProviderName, refundNumber, hasFailed)
    return null
  }
  const order = await lockPaid(tx, event.provider, facts)
  if (order && order.provider !== event.provider) return 'otherProvider'
  const { providerNumber } = facts
  if (!providerNumber) return 'noAmount'
  const known = await findRefund(tx, event.provider, providerNumber)
  if (known) return hasFailed ? undoRefund(tx, order, known) : null
  if (hasFailed || (await isToldToHaveFailed(tx, event.provider, providerNumber))) return null
  if (order?.state !== 'paid') return (await returnSuspended(tx, event, facts)) ? null : order ? 'notPaid' : 'unknownOrder'
  return bookReported(tx, order, event, { ...facts, providerNumber })
}

/** Whether we requested this refund. */
async function isRequested(tx: Db, provider: string, number: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_refund')
    .select('id')
    .where('number', '=', number)
    .where('provider', '=', provider)
    .where('reported_by', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

type BookedRefund = {
  id: string
  number: string
  cents: string
  provider: string
  state: string
  reason: string
  transaction_id: string | null
}

/** A refund by the provider's number of it, locked. */
export function findRefund(tx: Db, provider: string, providerNumber: string): Promise<BookedRefund | undefined> {
  return tx
    .selectFrom('payment_refund')
    .select(['id', 'number', 'cents', 'provider', 'state', 'reason', 'transaction_id'])
    .where('provider', '=', provider)
    .where('provider_number', '=', providerNumber)
    .forUpdate()
    .executeTakeFirst()
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

/** Whether an event of its failure came before the one of its beginning. */
async function isToldToHaveFailed(tx: Db, provider: string, providerNumber: string): Promise<boolean> {
  const { rows } = await sql`
    select from payment_event where provider = ${provider} and kind = 'refund' and facts ->> 'providerNumber' = ${providerNumber}
      and facts ->> 'state' = 'failed' limit 1`.execute(tx)
  return rows.length > 0
}

async function bookReported(
  tx: Db,
  order: Order,
  event: Event,
  facts: EventFacts & { providerNumber: string },
): Promise<EventProblem | null> {
  if (facts.currency !== 'CNY') return 'otherCurrency'
  const cents = facts.cents === undefined ? await centsBySum(tx, order.id, facts) : BigInt(facts.cents)
  if (cents === null) return 'noAmount'
  if (cents <= 0n) return null
  if (cents > (await unrefundedCents(tx, order.id))) return 'abovePayment'
  await bookRefund(tx, order, event, { facts, cents, by: { kind: 'forum' }, reason: '' })
  return null
}

/**
 * The amount of a refund of which the provider tells only the sum of all refunds until then. Null while a refund of ours is under way,
 * which the sum may contain or not.
 */
async function centsBySum(tx: Db, orderId: string, { allCents, paidAt }: EventFacts): Promise<bigint | null> {
  if (allCents === undefined) return null
  const { rows } = await sql<{ done: string; asked: string }>`
    select coalesce(sum(cents) filter (where state = 'done' and (returned_at is null or returned_at <= ${paidAt ?? null}::timestamptz)), 0) as done,
      count(*) filter (where state = 'asked') as asked
    from payment_refund where order_id = ${orderId}`.execute(tx)
  const [row] = rows
  return !row || row.asked !== '0' ? null : BigInt(allCents) - BigInt(row.done)
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
  await closeOthers(tx, event.provider, 'refund', facts.providerNumber)
  await notifyRefunded(tx, { member_id: order.member_id, cents: row.cents, reason }, 'done')
  return transactionId
}

type ReportedRow = { number: string; cents: string; reason: string; order_id?: string; event_id?: string; transaction_id?: string }

function insertReported(tx: Db, event: Event, row: ReportedRow, { providerNumber, paidAt }: EventFacts) {
  return tx
    .insertInto('payment_refund')
    .values({
      ...row,
      provider: event.provider,
      provider_number: providerNumber ?? null,
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
