import { z } from 'zod'
import type { ProviderEvent } from '#payment/server/providers/provider.ts'
import { listAll, type Client } from '#payment/server/providers/stripe-client.ts'
import { ObjectId, orderNumberIn, orderNumberOf, WithMetadata } from '#payment/server/providers/stripe-metadata.ts'

export const RefundObject = WithMetadata.extend({
  id: z.string(),
  status: z.string().nullable(),
  amount: z.int().optional(),
  currency: z.string().optional(),
  created: z.int().optional(),
  payment_intent: ObjectId.nullish(),
})
type RefundObject = z.infer<typeof RefundObject>

export const ChargeObject = z.object({ payment_intent: ObjectId.nullish() })

type EventOrigin = { eventId: string; toldAt: Date }

/** A refund made in Stripe's dashboard has no number of ours, but its payment has. */
export async function refundEvent(api: Client, event: EventOrigin, refund: RefundObject): Promise<ProviderEvent> {
  return eventOf(event, refund, orderNumberIn(refund) === null ? await orderNumberOf(api, refund.payment_intent ?? null) : null)
}

/** The refunds of a refunded charge, which its event does not contain. */
export async function refundEvents(api: Client, eventId: string, charge: z.infer<typeof ChargeObject>): Promise<ProviderEvent[]> {
  const intent = charge.payment_intent ?? null
  const number = await orderNumberOf(api, intent)
  if (intent === null || number === null) return [{ eventId, kind: 'other', number: null }]
  // The list is newer than the event.
  const toldAt = new Date()
  const refunds = await api.request((sdk) => listAll(sdk.refunds.list({ payment_intent: intent, limit: 100 })), z.array(RefundObject))
  return refunds.length > 0
    ? refunds.map((refund) => eventOf({ eventId: `${eventId}:${refund.id}`, toldAt }, refund, number))
    : [{ eventId, kind: 'other', number }]
}

function eventOf({ eventId, toldAt }: EventOrigin, refund: RefundObject, number: string | null): ProviderEvent {
  const { id: providerNumber, status, amount, currency = 'cny', created } = refund
  const refundNumber = orderNumberIn(refund)
  if (refundNumber === null && number === null) return { eventId, kind: 'other', number: null }
  return {
    eventId,
    kind: 'refund',
    refund: {
      refundNumber,
      providerNumber,
      number,
      paymentNumber: refund.payment_intent ?? null,
      cents: amount === undefined ? null : BigInt(amount),
      currency: currency.toUpperCase(),
      state: status === 'succeeded' ? 'done' : status === 'failed' || status === 'canceled' ? 'failed' : 'open',
      at: created === undefined ? new Date() : new Date(created * 1000),
      toldAt,
    },
  }
}
