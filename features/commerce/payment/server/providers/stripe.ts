import type { Stripe } from 'stripe'
import { z } from 'zod'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import {
  TooSmall,
  type OrderLookup,
  type OrderRequest,
  type OrderHint,
  type Provider,
  type RefundStatus,
  type RefundRequest,
} from '#payment/server/providers/provider.ts'
import { client, listAll, StripeRefusal, type Client } from '#payment/server/providers/stripe-client.ts'
import { ownAccount, paymentOf, parseEvent, Session } from '#payment/server/providers/stripe-event.ts'
import { statementOf } from '#payment/server/providers/stripe-statement.ts'

export type StripeKeys = { key: string; webhookSecret: string }

/** Stripe, by its Checkout page: amounts in yuan, whatever the card's currency. */
export function stripe({ key, webhookSecret }: StripeKeys, baseUrl?: URL): Provider {
  const api = client(key, baseUrl)
  const isLive = /^.k_live_/.test(key)
  return {
    name: 'stripe',
    zone: 'UTC',
    listsDisputes: true,
    async start(order) {
      const { id, url } = await api
        .request((sdk) => sdk.checkout.sessions.create(checkout(order), { idempotencyKey: order.number }), CreatedSession)
        .catch(toTooSmall)
      return { go: 'page', to: url, session: id }
    },
    verify: (call) => parseEvent(api, { webhookSecret, isLive }, call),
    acknowledge: (isTaken) => ({
      status: isTaken ? 200 : 400,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ received: isTaken }),
    }),
    query: (number, hint) => queryOrder(api, number, hint, isLive),
    close: (number, hint) => expireSession(api, number, hint, isLive),
    refund: (params) => createRefund(api, params),
    queryRefund: (params) => findRefund(api, params),
    statement: (day) => statementOf(api, day),
    identity: () => Promise.resolve({ seller: ownAccount, app: isLive ? 'live' : 'test' }),
    testKeys: () => tryKeys(api, webhookSecret),
  }
}

function toTooSmall(error: unknown): never {
  throw error instanceof StripeRefusal && error.code === 'amount_too_small' ? new TooSmall('Stripe takes no payment so small') : error
}

const CreatedSession = z.object({ id: z.string().min(1), url: z.url() })

// Stripe accepts no expiry within the next half hour by its clock, and an order lives for half an hour by ours. We close orders
// ourselves; this expiry is a fallback. The parameters depend only on the order, because Stripe requires equal parameters for the same
// idempotency key.
const graceMs = 5 * 60_000

function checkout({ number, cents, title, expiresAt, returnUrl }: OrderRequest): Stripe.Checkout.SessionCreateParams {
  const price = { currency: 'cny', unit_amount: Number(cents), product_data: { name: title } }
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: price }],
    // Payment in another currency would result in another amount.
    adaptive_pricing: { enabled: false },
    client_reference_id: number,
    metadata: { number },
    payment_intent_data: { metadata: { number } },
    expires_at: Math.floor((expiresAt.getTime() + graceMs) / 1000),
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

const SessionRef = z.object({ id: z.string(), client_reference_id: z.string().nullish() })

const searchWindowMs = 15 * 60_000

/**
 * The session of an order. Stripe cannot search sessions by our number, and its search of payments is delayed and omits untried ones: the
 * session's id is stored when it is created, and otherwise searched among the sessions of those minutes.
 */
async function sessionFor({ request }: Client, number: string, { session, at }: OrderHint): Promise<string | null> {
  if (session !== null) return session
  const [from, until] = [at.getTime() - searchWindowMs, at.getTime() + searchWindowMs].map((ms) => Math.floor(ms / 1000))
  const created = { gte: from, lte: until }
  const sessions = await request((sdk) => listAll(sdk.checkout.sessions.list({ created, limit: 100 })), z.array(SessionRef), 60_000)
  return sessions.find((one) => one.client_reference_id === number)?.id ?? null
}

const SessionDetails = Session.extend({
  status: z.enum(['open', 'complete', 'expired']),
  payment_intent: z.object({ id: z.string(), status: z.string(), latest_charge: z.object({ created: z.int() }).nullable() }).nullable(),
})

async function queryOrder(api: Client, number: string, hint: OrderHint, isLive: boolean): Promise<OrderLookup> {
  const id = await sessionFor(api, number, hint)
  const session = id === null ? null : await retrieveSession(api, id)
  if (session?.client_reference_id !== number) return { state: 'unknown' }
  const { status, payment_status: paid, payment_intent: intent } = session
  if (status === 'expired') return { state: 'closed' }
  if (status === 'open' || intent === null) return { state: 'open' }
  if (paid === 'paid') {
    const payment = paymentOf({ ...session, payment_intent: intent.id }, { isLive, at: intent.latest_charge?.created ?? session.created })
    return payment ? { state: 'paid', payment } : { state: 'unknown' }
  }
  // A delayed payment method failed.
  return { state: intent.status === 'requires_payment_method' || intent.status === 'canceled' ? 'closed' : 'open' }
}

async function retrieveSession({ request }: Client, id: string): Promise<z.infer<typeof SessionDetails> | null> {
  try {
    return await request((sdk) => sdk.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }), SessionDetails)
  } catch (error) {
    return nullIfMissing(error)
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof StripeRefusal && error.code === 'resource_missing') return null
  throw error
}

async function expireSession(api: Client, number: string, hint: OrderHint, isLive: boolean): Promise<boolean> {
  const id = await sessionFor(api, number, hint)
  if (id === null) return true
  try {
    await api.request((sdk) => sdk.checkout.sessions.expire(id), SessionRef)
    return true
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    // The session has already ended.
    const { state } = await queryOrder(api, number, { ...hint, session: id }, isLive)
    return state === 'closed' || state === 'unknown'
  }
}

const Refund = z.object({
  id: z.string(),
  status: z.string().nullable(),
  amount: z.int(),
  created: z.int(),
  failure_reason: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

async function createRefund({ request }: Client, { number, cents, paid, reason }: RefundRequest): Promise<RefundStatus> {
  const params = { payment_intent: paid.providerNumber, amount: Number(cents), metadata: { number, reason } }
  try {
    return refundStatus(await request((sdk) => sdk.refunds.create(params, { idempotencyKey: number }), Refund))
  } catch (error) {
    if (error instanceof StripeRefusal) return { state: 'failed', problem: error.message }
    throw error
  }
}

async function findRefund({ request }: Client, { number, paid }: RefundRequest): Promise<RefundStatus> {
  const ofPayment = { payment_intent: paid.providerNumber, limit: 100 }
  const all = await request((sdk) => listAll(sdk.refunds.list(ofPayment)), z.array(Refund))
  const found = all.find(({ metadata }) => metadata?.['number'] === number)
  return found ? refundStatus(found) : { state: 'unknown' }
}

function refundStatus({ id, status, amount, created, failure_reason: reason }: z.infer<typeof Refund>): RefundStatus {
  if (status === 'succeeded') return { state: 'done', providerNumber: id, cents: BigInt(amount), returnedAt: new Date(created * 1000) }
  return status === 'failed' || status === 'canceled' ? { state: 'failed', problem: reason ?? status } : { state: 'open' }
}

async function tryKeys({ request }: Client, webhookSecret: string): Promise<[]> {
  const listed = z.object({ data: z.array(z.unknown()) })
  try {
    await request((sdk) => sdk.accounts.retrieveCurrent(), z.object({ id: z.string() }))
    // A restricted key may be valid but lack permissions.
    await request((sdk) => sdk.checkout.sessions.list({ limit: 1 }), listed)
    await request((sdk) => sdk.refunds.list({ limit: 1 }), listed)
    await request((sdk) => sdk.balanceTransactions.list({ limit: 1 }), listed)
  } catch (error) {
    const { cause } = error instanceof RequestFailed ? error : { cause: null }
    const type = cause instanceof Error && 'type' in cause ? cause.type : null
    if (type === 'StripeAuthenticationError' || type === 'StripePermissionError')
      throw new Error(`The secret key is wrong: ${(cause as Error).message}`, { cause: error })
    throw error
  }
  if (!/^whsec_[A-Za-z0-9+/=_-]{16,}$/.test(webhookSecret)) throw new Error('The webhook secret is wrong: it begins with whsec_')
  return []
}
