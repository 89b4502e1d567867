import { sql } from 'kysely'
import { z } from 'zod'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { type creditEvent, type dismissEvent, type returnEvent } from '#payment/event-contract.ts'
import { NoMoney, NoSuchMember, NotSuspended } from '#payment/contract.ts'
import { type refundPayment } from '#payment/staff-contract.ts'
import { AboveBalance, AboveRefundable, NotPaid } from '#payment/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { recordPayment } from '#payment/server/credited-payment.ts'
import { EventFacts } from '#payment/server/inbox.ts'
import { lockProviderPayment } from '#payment/server/lock-payment.ts'
import { isSandboxOver } from '#payment/server/providers.ts'
import { answerByRefund } from '#payment/server/refund-request.ts'
import * as refund from '#payment/server/refund.ts'
import { serializeAmount, toMinor, OwnAccount, RequestWaits, toYuan, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type RefundInput = { number: string; cents: string; mayOwe: boolean }
type CreditInput = { eventId: string; memberId: string }

/** Refunds a payment or a part of it, immediately or on approval. */
export async function refundByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { number, amount, mayOwe, reason }: ParsedInput<typeof refundPayment>,
): Promise<Output<typeof refundPayment>> {
  const input = { number, cents: String(amount), mayOwe }
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, topUpRefund, { input, reason })
  const row = await tx
    .selectFrom('payment_refund')
    .select('number')
    .where('transaction_id', '=', transactionIds[0] ?? null)
    .executeTakeFirst()
  return { isWaiting, refundNumber: row?.number ?? null }
}

/** The refund of a payment. Staff do not refund their own. */
export const topUpRefund: wallet.ManualMove<RefundInput> = {
  kind: 'topUpRefund',
  input: z.object({ number: z.string(), cents: z.string(), mayOwe: z.boolean() }),
  async check(tx, by, { number, cents, mayOwe }) {
    const order = await lockOrder(tx, number)
    if (order.state !== 'paid' || order.transactionId === null) throw NotPaid()
    if (by.id === order.memberId) throw OwnAccount()
    if (BigInt(cents) > BigInt(order.refundable)) throw AboveRefundable({ most: toYuan(BigInt(order.refundable)) })
    const { balance } = (await wallet.accountsOf(tx, order.memberId)).cny
    if (!mayOwe && balance < BigInt(cents)) throw AboveBalance({ has: toYuan(balance > 0n ? balance : 0n) })
    const payment = { number }
    return { points: toMinor(0), cents: toMinor(cents), memberId: order.memberId, reverses: order.transactionId, detail: { payment } }
  },
  async execute(tx, staff, { number, cents, mayOwe }, { by, reason }) {
    const order = await lockOrder(tx, number)
    await answerByRefund(tx, order.id, { kind: 'staff', id: staff.staff.id })
    const created = await refund.refundOrder(tx, order, { cents: BigInt(cents), reason, owes: mayOwe, by })
    const after = { payment: number, refund: created.number, cny: serializeAmount('cny', toMinor(cents)) }
    return { transactionIds: [created.transactionId], note: { action: 'payment.refund', about: `payment ${number}`, after } }
  },
}

type Order = {
  id: string
  number: string
  /** The payer's current account, after merges. */
  memberId: string
  provider: string
  state: string
  refundable: string
  transactionId: string | null
}

async function lockOrder(tx: Db, number: string): Promise<Order> {
  // A statement that waits for the lock does not see concurrent refunds; the next one does.
  await sql`select from payment_order where number = ${number} for no key update`.execute(tx)
  const { rows } = await sql<Order>`
    select id::text, number, ledger.current_member(member_id)::text as "memberId", provider, state, transaction_id::text as "transactionId",
      greatest(refundable_cents(id), 0)::text as refundable
    from payment_order where number = ${number}`.execute(tx)
  const [order] = rows
  if (!order) throw Missing()
  return order
}

/** Credits a suspended event to a member, immediately or on approval. */
export async function creditByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { eventId, memberId, reason }: ParsedInput<typeof creditEvent>,
): Promise<Output<typeof creditEvent>> {
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, paymentCredit, { input: { eventId, memberId }, reason })
  return { isWaiting, transactionId: transactionIds[0] ?? null }
}

/** The credit of a payment that could not be credited automatically. Staff do not credit themselves. */
export const paymentCredit: wallet.ManualMove<CreditInput> = {
  kind: 'paymentCredit',
  input: z.object({ eventId: z.string(), memberId: z.string() }),
  async check(tx, by, { eventId, memberId }) {
    const { cents, provider } = await lockPaidEvent(tx, eventId)
    if (isSandboxOver(provider)) throw NoMoney()
    if (by.id === memberId) throw OwnAccount()
    await requireActiveMember(tx, memberId)
    return { points: toMinor(0), cents, memberId, detail: { event: { id: eventId } } }
  },
  async execute(tx, staff, { eventId, memberId }, { by, reason }) {
    const { cents, provider, providerNumber, facts } = await lockPaidEvent(tx, eventId)
    await requireActiveMember(tx, memberId)
    const { id } = await wallet.credit(tx, {
      to: memberId,
      account: 'clearing',
      label: provider,
      currency: 'cny',
      amount: cents,
      kind: 'topUpByHand',
      source: `event:${eventId}`,
      by,
      reason,
      providerNumber,
    })
    await settle(tx, eventId, { state: 'credited', answer: reason, credited_to: memberId, transaction_id: id, handled_by: staff.staff.id })
    const payment = { eventId, memberId, provider, cents, providerNumber, transactionId: id }
    const number = await recordPayment(tx, payment, facts)
    await notification.notify(tx, memberId, { kind: 'paymentCredited', currency: 'cny', amount: serializeAmount('cny', cents) })
    const after = { event: eventId, payment: number, cny: serializeAmount('cny', cents) }
    return {
      transactionIds: [id],
      note: { action: 'payment.credit', about: `paymentEvent ${eventId}`, after: { ...after, member: memberId } },
    }
  },
}

/** Returns a suspended payment to its payer. */
export async function returnByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { eventId, reason }: ParsedInput<typeof returnEvent>,
): Promise<Output<typeof returnEvent>> {
  const { provider, cents } = await lockPaidEvent(tx, eventId)
  await refuseWhileWaiting(tx, eventId)
  const refundNumber = await refund.returnEvent(tx, { id: eventId, provider, cents }, reason)
  await settle(tx, eventId, { state: 'returned', answer: reason, handled_by: by.staff.id })
  const after = { refund: refundNumber, cny: serializeAmount('cny', cents) }
  await audit.note(tx, by.staff, client, { action: 'payment.return', about: `paymentEvent ${eventId}`, reason, after })
  return { refundNumber }
}

export async function dismiss(tx: Db, by: Staff, client: ClientInfo, { eventId, reason }: ParsedInput<typeof dismissEvent>): Promise<void> {
  await lockSuspended(tx, eventId)
  await refuseWhileWaiting(tx, eventId)
  await settle(tx, eventId, { state: 'dismissed', answer: reason, handled_by: by.staff.id })
  await audit.note(tx, by.staff, client, { action: 'payment.dismiss', about: `paymentEvent ${eventId}`, reason })
}

type Settlement = {
  state: 'credited' | 'returned' | 'booked' | 'dismissed'
  answer: string
  handled_by: string
  credited_to?: string
  transaction_id?: string
}

/** Ends the waiting of an event, with what staff did. */
export async function settle(tx: Db, eventId: string, settlement: Settlement): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({ ...settlement, handled_at: sql`clock_timestamp()` })
    .where('id', '=', eventId)
    .execute()
}

/** An event that waits for staff, locked. */
export async function lockSuspended(tx: Db, eventId: string) {
  const event = await tx
    .selectFrom('payment_event')
    .select(['state', 'kind', 'provider', 'facts'])
    .where('id', '=', eventId)
    .forUpdate()
    .executeTakeFirst()
  if (!event) throw Missing()
  if (event.state !== 'suspended') throw NotSuspended()
  return event
}

/**
 * A suspended event of money paid to us that no other event of the same payment has settled. Locks its order, as an automatic credit
 * does.
 */
async function lockPaidEvent(tx: Db, eventId: string) {
  const { kind, provider, facts } = await lockSuspended(tx, eventId)
  const parsed = EventFacts.parse(facts)
  const money = paidAmount(kind, parsed)
  if (!money) throw NoMoney()
  await lockProviderPayment(tx, provider, money.providerNumber)
  await sql`select from payment_order where number = ${parsed.number} for no key update`.execute(tx)
  const { rows } = await sql`select where is_settled_by_hand(${provider}, ${money.providerNumber}, ${eventId})
    or exists (select from payment_order where provider = ${provider} and provider_number = ${money.providerNumber} and state = 'paid')`.execute(
    tx,
  )
  if (rows.length > 0) throw NotSuspended()
  return { provider, facts: parsed, ...money }
}

/** The amount that an event says was paid to us, which can be credited or returned; null for other events. */
export function paidAmount(kind: string, { cents, currency, providerNumber }: EventFacts): { cents: Minor; providerNumber: string } | null {
  if (kind !== 'paid' || currency !== 'CNY' || !cents || !providerNumber || BigInt(cents) <= 0n) return null
  return { providerNumber, cents: toMinor(cents) }
}

/** An event with a waiting credit or booking is settled by its approval, or after it was declined. */
export async function refuseWhileWaiting(tx: Db, eventId: string): Promise<void> {
  const { rows } = await sql<{ waits: boolean }>`select ${actionWaits(eventId)} as waits`.execute(tx)
  if (rows[0]?.waits) throw RequestWaits()
}

/** Whether a credit or a booking of the event waits for a second member of staff. */
export function actionWaits(eventId: string) {
  return sql`exists (select from money_request where state = 'waiting' and kind in ('paymentCredit', 'paymentBooking') and detail -> 'event' ->> 'id' = ${eventId})`
}

async function requireActiveMember(tx: Db, memberId: string): Promise<void> {
  const row = await tx
    .selectFrom('member')
    .select('id')
    .where('id', '=', memberId)
    .where('deactivated_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw NoSuchMember()
}
