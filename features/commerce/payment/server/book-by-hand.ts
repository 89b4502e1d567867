import { z } from 'zod'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { AboveBookable, BookedAlready, NoSuchPayment, NotBookable, NotPaid } from '#payment/contract.ts'
import type { bookEvent } from '#payment/event-contract.ts'
import { lockSuspended, refuseWhileWaiting, settle } from '#payment/server/by-hand.ts'
import { findDispute, settleDispute, undisputedCents } from '#payment/server/dispute.ts'
import { EventFacts, releaseEvents } from '#payment/server/inbox.ts'
import { lockOrder, lockProviderPayment, type Order } from '#payment/server/lock-payment.ts'
import { currentAccount } from '#payment/server/refund.ts'
import { leftBySums } from '#payment/server/refund-sum.ts'
import { bookRefund, isBooked, unrefundedCents } from '#payment/server/reported-refund.ts'
import { OwnAccount, serializeAmount, toMinor, toYuan } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type BookInput = { eventId: string; number: string; cents: string }

/** Books a suspended refund or dispute onto the payment that it is of, immediately or on approval. */
export async function bookByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { eventId, number, amount, reason }: ParsedInput<typeof bookEvent>,
): Promise<Output<typeof bookEvent>> {
  await refuseWhileWaiting(tx, eventId)
  const input = { eventId, number, cents: String(amount) }
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, paymentBooking, { input, reason })
  return { isWaiting, transactionId: transactionIds[0] ?? null }
}

/** What the provider has taken back already leaves the balance, which may go below zero. Staff do not book what is theirs. */
export const paymentBooking: wallet.ManualMove<BookInput> = {
  kind: 'paymentBooking',
  input: z.object({ eventId: z.string(), number: z.string(), cents: z.string() }),
  async check(tx, by, { eventId, number, cents }) {
    const { order, most } = await lockBookable(tx, eventId, number)
    const memberId = await currentAccount(tx, order.member_id)
    if (by.id === memberId) throw OwnAccount()
    if (BigInt(cents) > most) throw AboveBookable({ most: toYuan(most) })
    return { points: toMinor(0), cents: toMinor(cents), memberId, detail: { event: { id: eventId }, payment: { number } } }
  },
  async execute(tx, staff, { eventId, number, cents }, { by, reason }) {
    const { order, event, facts } = await lockBookable(tx, eventId, number)
    await settle(tx, eventId, { state: 'booked', answer: reason, handled_by: staff.staff.id })
    const transactionId = await book(tx, order, event, { facts, cents, by, reason })
    await releaseEvents(tx, event.provider, { number: order.number, paymentNumber: order.provider_number ?? undefined })
    const after = { payment: number, cny: serializeAmount('cny', toMinor(cents)) }
    return { transactionIds: [transactionId], note: { action: 'payment.book', about: `paymentEvent ${eventId}`, after } }
  },
}

type Event = { id: string; provider: string; kind: string }
type Booking = { facts: EventFacts & { providerNumber: string }; cents: string; by: wallet.Actor; reason: string }

async function book(tx: Db, order: Order, event: Event, { facts, cents, by, reason }: Booking): Promise<string> {
  if (event.kind === 'refund') return bookRefund(tx, order, event, { facts, cents: BigInt(cents), by, reason })
  const state = facts.state ?? 'open'
  const { transactionId } = await settleDispute(tx, order, { ...facts, state, cents }, { by, reason })
  if (transactionId === null) throw new Error(`A dispute that took nothing is booked: ${event.id}`)
  return transactionId
}

/** The event and the payment, locked, with the most that can be booked. */
async function lockBookable(tx: Db, eventId: string, number: string) {
  const { kind, provider, ...row } = await lockSuspended(tx, eventId)
  const facts = EventFacts.parse(row.facts)
  const { providerNumber } = facts
  if (!providerNumber || !isBookable(kind, facts)) throw NotBookable()
  await lockProviderPayment(tx, provider, facts.paymentNumber)
  const order = await lockOrder(tx, number)
  if (order?.provider !== provider) throw NoSuchPayment()
  if (order.state !== 'paid') throw NotPaid()
  const isKnown = kind === 'refund' ? isBooked(tx, provider, { ...facts, providerNumber }) : findDispute(tx, provider, providerNumber)
  if (await isKnown) throw BookedAlready()
  const most = kind === 'refund' ? await mostOfRefund(tx, order, facts) : await undisputedCents(tx, order.id)
  return { order, event: { id: eventId, provider, kind }, facts: { ...facts, providerNumber }, most }
}

/** What is left of the payment, and of the sums of refunds that the provider told of. */
async function mostOfRefund(tx: Db, order: Order, facts: EventFacts): Promise<bigint> {
  const [unrefunded, left] = [await unrefundedCents(tx, order.id), await leftBySums(tx, order, facts)]
  return left !== null && left < unrefunded ? left : unrefunded
}

/** Whether an event is of money that the provider has taken back. */
export function isBookable(kind: string, { providerNumber, state }: EventFacts): boolean {
  return providerNumber !== undefined && (kind === 'refund' ? state !== 'failed' : kind === 'dispute' && state !== 'won')
}
