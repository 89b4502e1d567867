import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { PaidMethod } from '#payment/contract.ts'
import { closeOthers, releaseEvents, type EventFacts } from '#payment/server/inbox.ts'
import { newNumber } from '#payment/server/refund.ts'

type Credit = { eventId: string; memberId: string; provider: string; cents: bigint; providerNumber: string; transactionId: string }

/**
 * Records what staff credited as a payment of the member, with its provider's number: refunds, disputes, receipts and reports find it
 * like any other. Returns our number of it.
 */
export async function recordPayment(tx: Db, { eventId, memberId, provider, cents, ...its }: Credit, facts: EventFacts): Promise<string> {
  const number = await newNumber(tx)
  await tx
    .insertInto('payment_order')
    .values({
      number,
      member_id: memberId,
      provider,
      method: 'byHand' satisfies PaidMethod,
      cents: String(cents),
      state: 'paid',
      expires_at: sql`clock_timestamp()`,
      paid_at: sql`clock_timestamp()`,
      taken_at: facts.paidAt ?? sql`clock_timestamp()`,
      provider_number: its.providerNumber,
      event_id: eventId,
      transaction_id: its.transactionId,
    })
    .execute()
  await closeOthers(tx, provider, 'paid', its.providerNumber)
  await releaseEvents(tx, provider, { number: facts.number, paymentNumber: its.providerNumber })
  return number
}
