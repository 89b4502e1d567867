import type { RawRequest, WebhookResponse } from '#base/server/http/webhook.ts'
import type { PaymentMethod, ProviderName } from '#payment/contract.ts'

/** An order as sent to a provider. Amounts are whole cents. */
export type OrderRequest = {
  number: string
  cents: bigint
  method: PaymentMethod
  /** The title that the payer sees. */
  title: string
  expiresAt: Date
  /** The address for notifications, and the one to which the payer's browser returns. */
  notifyUrl: string
  returnUrl: string
  /** The payer's address. */
  ip: string
}

/** The payer's next step: an address, or the content of a QR code for their phone. */
export type NextStep = {
  go: 'page' | 'qr'
  to: string
  /** The provider's id of the session, for providers that are not queried by our number. */
  session?: string
}

/** Our data for a query about an order. Without a session, after a crash before it was stored, the time of the order is known. */
export type OrderHint = { session: string | null; at: Date }

/** A payment by the provider's data. */
export type Payment = {
  number: string
  /** The provider's number of the payment. */
  providerNumber: string
  cents: bigint
  currency: string
  /** The owner of the money at the provider: the number of the seller, and of the requesting app. */
  seller: string
  app: string
  paidAt: Date
}

/** A refund as requested from a provider. Amounts are whole cents. */
export type RefundRequest = {
  number: string
  cents: bigint
  /** The payment: our number, the provider's number, and its full amount. */
  paid: { number: string; providerNumber: string; cents: bigint }
  /** The reason that the payer sees. */
  reason: string
  notifyUrl: string
}

/** The state of a refund at the provider. An open one is in progress and queried again; an unknown one never arrived. */
export type RefundStatus =
  | { state: 'done'; providerNumber: string; cents: bigint; returnedAt: Date }
  | { state: 'open' }
  | { state: 'failed'; problem: string }
  | { state: 'unknown' }

/** A payer reclaims their money through their bank. The provider has already taken the amount of an open dispute. */
export type Dispute = {
  providerNumber: string
  /** Our number of the payment. */
  number: string
  cents: bigint
  currency: string
  reason: string
  state: 'open' | 'won' | 'lost'
}

/** A provider's event with a verified signature. */
export type ProviderEvent =
  | { eventId: string; kind: 'paid'; payment: Payment }
  | { eventId: string; kind: 'closed'; number: string }
  /** Our number of the refund, whose state is then queried; a completed one is requested again if it has failed since. */
  | { eventId: string; kind: 'refund'; number: string; hasFailed?: boolean }
  | { eventId: string; kind: 'dispute'; dispute: Dispute }
  | { eventId: string; kind: 'other'; number: string | null }

/** The provider's answer to a query about an order. */
export type OrderLookup = { state: 'paid'; payment: Payment } | { state: 'open' } | { state: 'closed' } | { state: 'unknown' }

/** A line of a statement. Amounts are whole cents before fees, and positive. */
export type StatementLine = {
  kind: 'payment' | 'refund' | 'dispute' | 'fee'
  /** Our number of the order or refund; null if the line names none. */
  number: string | null
  providerNumber: string
  cents: bigint
  /** The provider's fee; negative if it returned some. */
  feeCents: bigint
  at: Date
}

/** The expiry of a certificate or key. */
export type KeyExpiry = { name: string; endsAt: Date }

/** A payment provider. Every function but `us` may throw `NoAnswer` if the provider cannot be reached. */
export type Provider = {
  name: ProviderName
  /** The time zone of its statements' days. */
  zone: 'Asia/Shanghai' | 'UTC'
  start(order: OrderRequest): Promise<NextStep>
  /**
   * Throws `NotVerified` for an invalid or expired signature, and `NoAnswer` if the event requires a query that failed; the provider
   * repeats it.
   */
  verify(call: RawRequest): Promise<ProviderEvent>
  /** The response that the provider expects, accepting or rejecting the notification. */
  acknowledge(isTaken: boolean): WebhookResponse
  query(number: string, placed: OrderHint): Promise<OrderLookup>
  /** Closes the order, so that it cannot be paid any more. Returns false if it is already paid. */
  close(number: string, placed: OrderHint): Promise<boolean>
  /** Refunds a payment or a part of it; idempotent by the refund's number. */
  refund(refund: RefundRequest): Promise<RefundStatus>
  queryRefund(refund: RefundRequest): Promise<RefundStatus>
  /** All moves of a day in its time zone (YYYY-MM-DD); null while the statement is not ready. */
  statement(day: string): Promise<StatementLine[] | null>
  /** Our identity at the provider, which a payment must name. */
  identity(): Promise<{ seller: string; app: string }>
  /** Makes a request that needs every key, and returns the expiry of certificates. Throws if a key is wrong. */
  testKeys(): Promise<KeyExpiry[]>
}

/** The sender of the call is not the provider, or the signature is too old. */
export class NotVerified extends Error {
  override name = 'NotVerified'
}

/** The amount is below the provider's minimum. */
export class TooSmall extends Error {
  override name = 'TooSmall'
}

/** A key of ours that is unreadable, or unknown to the provider. The message names it. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}
