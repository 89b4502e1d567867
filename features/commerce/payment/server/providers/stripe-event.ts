import { z } from 'zod'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { isOurs, NotVerified, readSigned, type Payment, type ProviderEvent } from '#payment/server/providers/provider.ts'
import type { Client } from '#payment/server/providers/stripe-client.ts'
import { DisputeObject, disputeEvent } from '#payment/server/providers/stripe-dispute.ts'
import { ObjectId } from '#payment/server/providers/stripe-metadata.ts'
import { ChargeObject, RefundObject, refundEvent, refundEvents } from '#payment/server/providers/stripe-refund.ts'

/**
 * The seller of payments to the account of the key. Its id is available only by a request, and the signature already proves the account;
 * a payment to a connected account names that account.
 */
export const ownAccount = 'own'

const patienceSeconds = 5 * 60

export const Session = z.object({
  id: z.string(),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  client_reference_id: z.string().nullish(),
  created: z.int(),
})
const PaidSession = Session.extend({ payment_intent: ObjectId.nullish() })
const Event = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  created: z.int(),
  account: z.string().optional(),
  data: z.object({ object: z.unknown() }),
})
type Event = z.infer<typeof Event>

type WebhookConfig = { webhookSecret: string; isLive: boolean }

/** The content of an event. The account may serve other shops too: an object without a number of ours is not ours. */
export async function parseEvent(api: Client, config: WebhookConfig, call: RawRequest): Promise<ProviderEvent[]> {
  await verifySignature(api, config, call)
  return readSigned(() => eventsIn(api, config, call.body))
}

async function verifySignature(api: Client, { webhookSecret }: WebhookConfig, { headers, body, at }: RawRequest): Promise<void> {
  const { signature } = (await api.sdk()).webhooks
  if (!signature) throw new Error('The library of Stripe verifies no signatures')
  const header = String(headers['stripe-signature'] ?? '')
  try {
    signature.verifyHeader(body, header, webhookSecret, patienceSeconds, undefined, at.getTime())
  } catch (error) {
    throw new NotVerified('The signature is not Stripe’s, or is old', { cause: error })
  }
}

async function eventsIn(api: Client, config: WebhookConfig, body: Buffer): Promise<ProviderEvent[]> {
  const event = Event.parse(JSON.parse(body.toString()))
  if (event.livemode !== config.isLive) throw new NotVerified(`It is of ${event.livemode ? 'live' : 'test'} mode, and the key is not`)
  const { id: eventId } = event
  const { object } = event.data
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return [paidEvent(event, PaidSession.parse(object), config)]
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return [orderEvent(event, 'closed', Session.parse(object).client_reference_id)]
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return [await refundEvent(api, { eventId, toldAt: new Date(event.created * 1000) }, RefundObject.parse(object))]
    case 'charge.refunded':
      return refundEvents(api, eventId, ChargeObject.parse(object))
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return [await disputeEvent(api, eventId, DisputeObject.parse(object))]
    default:
      return [orderEvent(event, 'other', null)]
  }
}

function paidEvent(event: Event, session: z.infer<typeof PaidSession>, { isLive }: WebhookConfig): ProviderEvent {
  const { payment_status: status, payment_intent: intent } = session
  const isPaid = status === 'paid' && intent
  const payment = isPaid ? paymentOf({ ...session, payment_intent: intent }, { isLive, at: event.created, account: event.account }) : null
  return payment ? { eventId: event.id, kind: 'paid', payment } : orderEvent(event, 'other', session.client_reference_id)
}

type EventHeader = { isLive: boolean; /** In seconds. */ at: number; account?: string | undefined }

/** The payment of a paid session; null if it is no order of ours. */
export function paymentOf(
  session: z.infer<typeof Session> & { payment_intent: string },
  { isLive, at, account }: EventHeader,
): Payment | null {
  const { client_reference_id: number, amount_total: amount, currency, payment_intent: providerNumber } = session
  if (!isOurs(number) || amount === null || currency === null) return null
  return {
    number,
    providerNumber,
    cents: BigInt(amount),
    currency: currency.toUpperCase(),
    seller: account ?? ownAccount,
    app: isLive ? 'live' : 'test',
    paidAt: new Date(at * 1000),
  }
}

function orderEvent({ id: eventId }: Event, kind: 'closed' | 'other', number: string | null | undefined): ProviderEvent {
  return isOurs(number) ? { eventId, kind, number } : { eventId, kind: 'other', number: null }
}
