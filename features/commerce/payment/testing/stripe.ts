import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { serve } from '#base/testing/fake-server.ts'
import * as objects from '#payment/testing/stripe-objects.ts'
import type { MoveParams, PaymentOutcome, Session, StripeState } from '#payment/testing/stripe-objects.ts'

export const key = 'sk_test_aKeyOfTheStandIn'
export const webhookSecret = 'whsec_aSecretOfTheStandIn'

type StripeReply = { status: number; body: unknown }
type StripeRequest = { method: string; path: string; query: URLSearchParams; form: URLSearchParams }

/** The behaviour: normal, no response, a dropped connection, a server error, or an invalid response. */
export type Behaviour = 'well' | 'silent' | 'hangsUp' | 'broken' | 'rubbish'

const refusal = (status: number, type: string, message: string, code?: string): StripeReply => ({
  status,
  body: { error: { type, message, code } },
})
const wrong = (message: string, code?: string) => refusal(400, 'invalid_request_error', message, code)
const missing = (what: string) => refusal(404, 'invalid_request_error', `No such ${what}`, 'resource_missing')

/** A local stand-in for Stripe: it knows one key, and repeats its response for a repeated idempotency key. */
export async function stripeStandIn() {
  const state = objects.emptyState()
  const requests: StripeRequest[] = []
  const respondOnce = withIdempotency((one) => respond(state, one))
  let behaviour: Behaviour = 'well'
  const { address, close } = await serve(() => (request, response) => answer(request, response))
  return {
    address: new URL(address),
    close,
    asked: requests,
    refunds: state.refunds,
    feels: (how: Behaviour) => void (behaviour = how),
    refundsAre: (how: string) => void (state.refundsAre = how),
    session: (form: URLSearchParams) => objects.begin(state, form),
    pay: (session: Session, status?: PaymentOutcome, at?: number) => objects.pay(state, session, status, at),
    /** What the account received for a payment, in its own currency. */
    settles: (session: Session, received: { amount: number; currency: string }) => objects.settle(state, session, received),
    /** A refund made in the dashboard. */
    refundThere(form: URLSearchParams) {
      const refund = objects.giveBack(state, form)
      if (typeof refund === 'string') throw new Error(refund)
      refund.metadata = {}
      return refund
    },
    move: (category: string, moving: MoveParams) => objects.move(state, category, moving),
    has: (number: string) => state.sessions.some(({ client_reference_id: its }) => its === number),
    sessionOf(number: string): Session {
      const session = state.sessions.find(({ client_reference_id: its }) => its === number)
      if (!session) throw new Error(`There is no session of ${number}`)
      return session
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const words = await text(request)
    if (behaviour === 'silent') return
    if (behaviour === 'hangsUp') return void request.socket.destroy()
    if (behaviour === 'broken') return send(response, refusal(503, 'api_error', 'Out of order'))
    if (behaviour === 'rubbish') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', address)
    const one = { method: request.method ?? '', path, query, form: new URLSearchParams(words) }
    requests.push(one)
    const isKnown = request.headers.authorization === `Bearer ${key}`
    send(
      response,
      isKnown ? respondOnce(one, request.headers['idempotency-key']) : refusal(401, 'invalid_request_error', 'Invalid API Key provided'),
    )
  }
}
export type StripeStandIn = Awaited<ReturnType<typeof stripeStandIn>>

function send(response: ServerResponse, { status, body }: StripeReply): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body))
}

/** Repeats the response for a repeated idempotency key, and refuses other parameters with it. */
function withIdempotency(respondOnce: (one: StripeRequest) => StripeReply): (one: StripeRequest, again?: string | string[]) => StripeReply {
  const before = new Map<string, { words: string; said: StripeReply }>()
  return (one, again = '') => {
    if (one.method !== 'POST' || again === '') return respondOnce(one)
    const words = `${one.path} ${one.form}`
    const its = before.get(String(again)) ?? { words, said: respondOnce(one) }
    if (its.words !== words)
      return refusal(400, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters')
    before.set(String(again), its)
    return its.said
  }
}

const ok = (body: unknown): StripeReply => ({ status: 200, body })

function respond(state: StripeState, request: StripeRequest): StripeReply {
  const { method, path, query, form } = request
  if (path === '/v1/account') return ok({ id: 'acct_1StandIn', object: 'account' })
  if (path === '/v1/balance_transactions') return ok(objects.pageOf(state.moved, query))
  if (path.startsWith('/v1/checkout/sessions')) return sessions(state, request)
  const [, intentId] = /^\/v1\/payment_intents\/(.+)$/.exec(path) ?? []
  if (intentId) {
    const intent = state.intents.find(({ id }) => id === intentId)
    if (!intent) return missing(`payment_intent: '${intentId}'`)
    return ok([...query.keys()].some((name) => name.startsWith('expand')) ? objects.withCharge(state, intent) : intent)
  }
  if (path !== '/v1/refunds') return missing(path)
  const ofIntent = query.get('payment_intent')
  if (method === 'GET')
    return ok(
      objects.pageOf(
        state.refunds.filter((one) => !ofIntent || one.payment_intent === ofIntent),
        query,
      ),
    )
  const refund = objects.giveBack(state, form)
  return typeof refund === 'string' ? wrong(refund, 'charge_already_refunded') : ok(refund)
}

const leastCents = 400

function sessions(state: StripeState, { method, path, query, form }: StripeRequest): StripeReply {
  const [id = '', action] = path.split('/').slice(4)
  if (!id && method === 'GET') return ok(objects.pageOf(state.sessions, query))
  if (!id) {
    const isTooSoon = Number(form.get('expires_at')) < Date.now() / 1000 + 30 * 60
    if (isTooSoon) return wrong('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.')
    const cents = Number(form.get('line_items[0][price_data][unit_amount]'))
    if (cents < leastCents) return wrong('The Checkout Session’s total amount must convert to at least 50 cents.', 'amount_too_small')
    return ok(objects.begin(state, form))
  }
  const session = state.sessions.find((one) => one.id === id)
  if (!session) return missing(`checkout.session: '${id}'`)
  if (action !== 'expire') return ok(objects.expanded(state, session))
  if (session.status !== 'open') return wrong('Only Checkout Sessions with a status in ["open"] can be expired.')
  return ok(Object.assign(session, { status: 'expired' }))
}

let events = 0

export function eventOf(type: string, object: unknown, more: Record<string, unknown> = {}): string {
  const created = Math.floor(Date.now() / 1000)
  const event = {
    id: `evt_${++events}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    livemode: false,
    type,
    data: { object },
  }
  return JSON.stringify({ ...event, ...more })
}

export function signatureOf(payload: string, { secret = webhookSecret, at = Date.now() } = {}): string {
  const { webhooks } = new Stripe(key)
  return webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })
}
