import type { RawRequest, WebhookResponse } from '#base/server/http/webhook.ts'
import type { PaymentMethod, ProviderName } from '#payment/contract.ts'

/** An order as a provider is told of it. Amounts are whole cents. */
export type Ordered = {
  number: string
  cents: bigint
  method: PaymentMethod
  /** What the payer reads there. */
  title: string
  expiresAt: Date
  /** Where the provider tells of the payment, and where the payer's browser comes back to. */
  notifyUrl: string
  returnUrl: string
  /** Of the payer. */
  ip: string
}

/** How a payer goes on: to an address, or by a QR code that holds this and that their phone reads. */
export type Start = {
  go: 'page' | 'qr'
  to: string
  /** What was begun, as a provider calls it that is not asked by our number. */
  session?: string
}

/** What is known here of an order that its provider is asked for. A server that died before it wrote down the session knows when it was begun. */
export type Placed = { session: string | null; at: Date }

/** A payment as the provider knows it. */
export type Payment = {
  number: string
  /** Of the payment, as the provider calls it. */
  providerNumber: string
  cents: bigint
  currency: string
  /** Whose money it is there: the number of the seller, and of the app that asked. */
  seller: string
  app: string
  paidAt: Date
}

/** A refund of ours, as a provider is asked for it. Amounts are whole cents. */
export type Refunding = {
  number: string
  cents: bigint
  /** Of the payment: our number, the provider's, and all of it. */
  paid: { number: string; providerNumber: string; cents: bigint }
  /** What the payer reads there. */
  reason: string
  notifyUrl: string
}

/** A refund as the provider knows it. An open one is under way, and is asked for again; of an unknown one the provider has not heard. */
export type Refunded =
  | { state: 'done'; providerNumber: string; cents: bigint; returnedAt: Date }
  | { state: 'open' }
  | { state: 'failed'; problem: string }
  | { state: 'unknown' }

/** A payer who wants their money back by their bank. What is open was taken by the provider already. */
export type Dispute = {
  providerNumber: string
  /** Of the payment: our number. */
  number: string
  cents: bigint
  currency: string
  reason: string
  state: 'open' | 'won' | 'lost'
}

/** What a provider says, after its signature was verified. */
export type ProviderEvent =
  | { eventId: string; kind: 'paid'; payment: Payment }
  | { eventId: string; kind: 'closed'; number: string }
  /** By the number of our refund, whose state is asked for then: once more of one that was done, where it has failed since. */
  | { eventId: string; kind: 'refund'; number: string; hasFailed?: boolean }
  | { eventId: string; kind: 'dispute'; dispute: Dispute }
  | { eventId: string; kind: 'other'; number: string | null }

/** What it answers when it is asked for an order. */
export type OrderLookup = { state: 'paid'; payment: Payment } | { state: 'open' } | { state: 'closed' } | { state: 'unknown' }

/** A line of a statement. Amounts are whole cents before fees, and positive. */
export type StatementLine = {
  kind: 'payment' | 'refund' | 'dispute' | 'fee'
  /** Of our order or refund; null where it names none. */
  number: string | null
  providerNumber: string
  cents: bigint
  /** What the provider took; below zero where it gave some back. */
  feeCents: bigint
  at: Date
}

/** A certificate or a key that ends. */
export type Ending = { name: string; endsAt: Date }

/** A payment provider. Every function but `us` may throw `NoAnswer` where it cannot be reached. */
export type Provider = {
  name: ProviderName
  /** Whose days its statements go by. */
  zone: 'Asia/Shanghai' | 'UTC'
  start(order: Ordered): Promise<Start>
  /** Throws `NotVerified` for what it did not sign, or signed too long ago; `NoAnswer` where it has to be asked what that is about, and is told again. */
  verify(call: RawRequest): Promise<ProviderEvent>
  /** The answer that it expects: whether what it said has been taken. */
  acknowledge(isTaken: boolean): WebhookResponse
  query(number: string, placed: Placed): Promise<OrderLookup>
  /** Lets nobody pay the order any more. False where it has been paid. */
  close(number: string, placed: Placed): Promise<boolean>
  /** Gives back a payment or a part of it, once for each number, however often it is asked. */
  refund(refund: Refunding): Promise<Refunded>
  queryRefund(refund: Refunding): Promise<Refunded>
  /** Everything that it moved on a day of its own (YYYY-MM-DD); null while there is no statement yet. */
  statement(day: string): Promise<StatementLine[] | null>
  /** Who we are there: what a payment must name. */
  us(): Promise<{ seller: string; app: string }>
  /** Asks it for something that needs every key, and gives what its certificates end with. Throws where a key is wrong. */
  tryKeys(): Promise<Ending[]>
}

/** A call whose sender is not the provider, or not now. */
export class NotVerified extends Error {
  override name = 'NotVerified'
}

/** Less than the provider takes at once. */
export class TooSmall extends Error {
  override name = 'TooSmall'
}

/** A key of ours that cannot be read, or that the provider does not know. Says which. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}
