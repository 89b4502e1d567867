import { z } from 'zod'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { NotVerified, type Dispute, type Payment, type ProviderEvent } from '#payment/server/providers/provider.ts'
import { StripeRefusal, type Client } from '#payment/server/providers/stripe-client.ts'

/**
 * The seller of payments to the account of the key. Its id is available only by a request, and the signature already proves the account;
 * a payment to a connected account names that account.
 */
export const ownAccount = 'own'

const patienceSeconds = 5 * 60

const Metadata = z.record(z.string(), z.string()).nullish()
const id = z.union([z.string(), z.object({ id: z.string() }).transform((its) => its.id)])

export const Session = z.object({
  id: z.string(),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  client_reference_id: z.string().nullish(),
  created: z.int(),
})
const PaidSession = Session.extend({ payment_intent: id.nullish() })
const WithMetadata = z.object({ metadata: Metadata })
const RefundObject = WithMetadata.extend({ status: z.string().nullable() })
const Charge = z.object({ refunds: z.object({ data: z.array(WithMetadata) }).nullish() })
const DisputeObject = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  reason: z.string(),
  payment_intent: id.nullish(),
})
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
export async function parseEvent(api: Client, config: WebhookConfig, call: RawRequest): Promise<ProviderEvent> {
  const event = await verifyEvent(api, config, call)
  const { object } = event.data
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paidEvent(event, PaidSession.parse(object), config)
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return orderEvent(event, 'closed', Session.parse(object).client_reference_id)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundEvent(event, RefundObject.parse(object))
    case 'charge.refunded':
      return orderEvent(event, 'refund', Charge.parse(object).refunds?.data.map(orderNumberIn).find(Boolean))
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return disputeEvent(api, event, DisputeObject.parse(object))
    default:
      return orderEvent(event, 'other', null)
  }
}

async function verifyEvent(api: Client, { webhookSecret, isLive }: WebhookConfig, { headers, body, at }: RawRequest): Promise<Event> {
  const { webhooks } = await api.sdk()
  const header = String(headers['stripe-signature'] ?? '')
  try {
    webhooks.constructEvent(body, header, webhookSecret, patienceSeconds, undefined, at.getTime())
  } catch (error) {
    throw new NotVerified('The signature is not Stripe’s, or is old', { cause: error })
  }
  const event = Event.parse(JSON.parse(body.toString()))
  if (event.livemode !== isLive) throw new NotVerified(`It is of ${event.livemode ? 'live' : 'test'} mode, and the key is not`)
  return event
}

function paidEvent(event: Event, session: z.infer<typeof PaidSession>, { isLive }: WebhookConfig): ProviderEvent {
  const { payment_status: status, payment_intent: intent } = session
  const isPaid = status === 'paid' && intent
  const payment = isPaid ? paymentOf({ ...session, payment_intent: intent }, { isLive, at: event.created, account: event.account }) : null
  return payment ? { eventId: event.id, kind: 'paid', payment } : orderEvent(event, 'other', session.client_reference_id)
}

function refundEvent(event: Event, refund: z.infer<typeof RefundObject>): ProviderEvent {
  const result = orderEvent(event, 'refund', orderNumberIn(refund))
  return result.kind === 'refund' ? { ...result, hasFailed: refund.status === 'failed' || refund.status === 'canceled' } : result
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

function orderEvent({ id: eventId }: Event, kind: 'closed' | 'refund' | 'other', number: string | null | undefined): ProviderEvent {
  return isOurs(number) ? { eventId, kind, number } : { eventId, kind: 'other', number: null }
}

/** Inquiries, whose status begins with `warning`, take nothing. A lost dispute may be won on appeal. */
const disputeStates: Record<string, Dispute['state']> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
}

async function disputeEvent(api: Client, event: Event, dispute: z.infer<typeof DisputeObject>): Promise<ProviderEvent> {
  const state = disputeStates[dispute.status]
  const number = await orderNumberOf(api, dispute.payment_intent ?? null)
  if (!state || number === null) return orderEvent(event, 'other', number)
  const { id: providerNumber, amount, currency, reason } = dispute
  return {
    eventId: event.id,
    kind: 'dispute',
    dispute: { providerNumber, number, cents: BigInt(amount), currency: currency.toUpperCase(), reason, state },
  }
}

/** Our number of a disputed payment, which the dispute does not contain; null if there is none. */
export async function orderNumberOf({ request }: Client, intent: string | null): Promise<string | null> {
  if (intent === null) return null
  try {
    return orderNumberIn(await request((sdk) => sdk.paymentIntents.retrieve(intent), WithMetadata))
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return null
    throw error
  }
}

/** Our number in an object's metadata. */
export function orderNumberIn({ metadata }: { metadata?: Record<string, string> | null | undefined }): string | null {
  const number = metadata?.['number']
  return isOurs(number) ? number : null
}

function isOurs(number: string | null | undefined): number is string {
  return /^\d{20}$/.test(number ?? '')
}
