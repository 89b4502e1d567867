/** The state of the stand-in, in Stripe's terms. */
export type Session = {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string
  created: number
  expires_at: number
  livemode: boolean
  metadata: Record<string, string>
  payment_intent: string | null
}
type Intent = { id: string; object: 'payment_intent'; status: string; metadata: Record<string, string>; latest_charge: string | null }
type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  created: number
  metadata: Record<string, string>
  payment_intent: string
}
type Refund = {
  id: string
  object: 'refund'
  status: string
  amount: number
  currency: string
  created: number
  payment_intent: string
  failure_reason?: string
  metadata: Record<string, string>
}
type BalanceMove = {
  id: string
  object: 'balance_transaction'
  reporting_category: string
  amount: number
  fee: number
  currency: string
  exchange_rate: number | null
  created: number
  source: object | null
}

const seconds = (at = Date.now()) => Math.floor(at / 1000)

/** All objects, newest first. */
export type StripeState = {
  sessions: Session[]
  intents: Intent[]
  charges: Charge[]
  refunds: Refund[]
  moved: BalanceMove[]
  /** The outcome of future refunds: a status, or a refusal. */
  refundsAre: string
  last: number
}

export function emptyState(): StripeState {
  return { sessions: [], intents: [], charges: [], refunds: [], moved: [], refundsAre: 'succeeded', last: 0 }
}

function next(state: StripeState, kind: string): string {
  return `${kind}_${String(++state.last).padStart(6, '0')}`
}

export function begin(state: StripeState, form: URLSearchParams): Session {
  const id = next(state, 'cs_test')
  const session: Session = {
    id,
    object: 'checkout.session',
    url: `https://checkout.stripe.com/c/pay/${id}`,
    status: 'open',
    payment_status: 'unpaid',
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')) * Number(form.get('line_items[0][quantity]')),
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    client_reference_id: form.get('client_reference_id') ?? '',
    created: seconds(),
    expires_at: Number(form.get('expires_at')),
    livemode: false,
    metadata: { number: form.get('payment_intent_data[metadata][number]') ?? '' },
    payment_intent: null,
  }
  state.sessions.unshift(session)
  return session
}

export function expanded({ intents, charges }: StripeState, session: Session): object {
  const intent = intents.find(({ id }) => id === session.payment_intent)
  const charge = charges.find(({ id }) => id === intent?.latest_charge) ?? null
  return { ...session, payment_intent: intent ? { ...intent, latest_charge: charge } : null }
}

export function withCharge({ charges, moved }: StripeState, intent: Intent): object {
  const charge = charges.find(({ id }) => id === intent.latest_charge) ?? null
  const balance_transaction = moved.find(({ source }) => source === charge) ?? null
  return { ...intent, latest_charge: charge && { ...charge, balance_transaction } }
}

/** The account keeps another currency, in which it received the payment of a session. */
export function settle({ intents, charges, moved }: StripeState, session: Session, received: { amount: number; currency: string }): void {
  const intent = intents.find(({ id }) => id === session.payment_intent)
  const charge = charges.find(({ id }) => id === intent?.latest_charge)
  Object.assign(moved.find(({ source }) => source === charge) ?? {}, received)
}

export type PaymentOutcome = 'succeeded' | 'processing' | 'requires_payment_method'

/** The payer pays, immediately or by a delayed method, which is then in progress or has failed. */
export function pay(state: StripeState, session: Session, status: PaymentOutcome = 'succeeded', at = Date.now()): Session {
  const { amount_total: amount, currency, metadata } = session
  const intent = state.intents.find(({ id }) => id === session.payment_intent) ?? newIntent(state, metadata)
  Object.assign(session, { status: 'complete', payment_intent: intent.id })
  intent.status = status
  if (status !== 'succeeded') return session
  const id = next(state, 'ch')
  const of = { amount, currency, metadata, payment_intent: intent.id }
  const charge: Charge = { id, object: 'charge', amount_refunded: 0, created: seconds(at), ...of }
  state.charges.unshift(charge)
  intent.latest_charge = charge.id
  session.payment_status = 'paid'
  move(state, 'charge', { amount, fee: Math.round(amount * 0.034) + 235, source: charge, at })
  return session
}

function newIntent(state: StripeState, metadata: Record<string, string>): Intent {
  const intent: Intent = { id: next(state, 'pi'), object: 'payment_intent', status: 'processing', metadata, latest_charge: null }
  state.intents.unshift(intent)
  return intent
}

/** The refund, or the message of a refusal. */
export function giveBack(state: StripeState, form: URLSearchParams): Refund | string {
  const amount = Number(form.get('amount'))
  const charge = state.charges.find(({ payment_intent: intent }) => intent === form.get('payment_intent'))
  const status = state.refundsAre
  if (!charge) return 'No such payment_intent'
  if (status === 'refused' || charge.amount_refunded + amount > charge.amount) return `Charge ${charge.id} has already been refunded.`
  charge.amount_refunded += amount
  const metadata = { number: form.get('metadata[number]') ?? '', reason: form.get('metadata[reason]') ?? '' }
  const { payment_intent, currency } = charge
  const of = { amount, currency, payment_intent, metadata }
  const refund: Refund = { id: next(state, 're'), object: 'refund', status, created: seconds(), ...of }
  if (status === 'failed') refund.failure_reason = 'expired_or_canceled_card'
  state.refunds.unshift(refund)
  move(state, 'refund', { amount: -amount, fee: 0, source: refund })
  return refund
}

export type MoveParams = { amount: number; fee: number; source: object | null; at?: number; currency?: string; rate?: number }

/** Moves the balance, in yuan by default. */
export function move(state: StripeState, category: string, { amount, fee, source, at, currency = 'cny', rate }: MoveParams): void {
  const its = { reporting_category: category, amount, fee, currency, exchange_rate: rate ?? null, created: seconds(at), source }
  state.moved.unshift({ id: next(state, 'txn'), object: 'balance_transaction', ...its })
}

/** A page of a list, by the query parameters. */
export function pageOf(all: readonly { id: string; created: number }[], query: URLSearchParams): object {
  const [from, until, before] = ['created[gte]', 'created[lte]', 'created[lt]'].map((name) => query.get(name))
  const within = all.filter(
    ({ created }) => created >= Number(from ?? 0) && created <= Number(until ?? Infinity) && created < Number(before ?? Infinity),
  )
  const after = query.get('starting_after')
  const rest = after === null ? within : within.slice(within.findIndex(({ id }) => id === after) + 1)
  const data = rest.slice(0, Number(query.get('limit') ?? 10))
  return { object: 'list', data, has_more: rest.length > data.length }
}
