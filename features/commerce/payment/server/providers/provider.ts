import { z } from 'zod'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
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

/**
 * A refund by the provider's data: one that we requested, or one that somebody made on the provider's own screen. Null is what the
 * provider does not say.
 */
export type ReportedRefund = {
  /** Our number of the refund, if it names one. */
  refundNumber: string | null
  /** The provider's number of the refund. */
  providerNumber: string | null
  /** The payment: our number, and the provider's. */
  number: string | null
  paymentNumber: string | null
  cents: bigint | null
  /** The sum of all refunds of the payment until then. */
  allCents?: bigint
  currency: string
  state: 'open' | 'done' | 'failed'
  at: Date
  /** When the provider made the event that tells of it. */
  toldAt?: Date
}

/** A payer reclaims their money through their bank. The provider has already taken the amount of an open dispute. */
export type Dispute = {
  providerNumber: string
  /** The payment: our number, and the provider's. */
  number: string
  paymentNumber?: string | null
  /** The disputed amount, which may differ from the payment's and be in the card's currency. */
  cents: bigint
  currency: string
  /** The cents that it took from our account, as far as they are known. */
  settledCents?: bigint | null
  reason: string
  /** The provider's word for the state; null is a state that we do not know. */
  status?: string
  state: 'open' | 'won' | 'lost' | null
  /** The time until which the provider takes our response, and its page of the dispute. */
  respondBy?: Date | null
  link?: string
}

/** A provider's event with a verified signature. */
export type ProviderEvent =
  | { eventId: string; kind: 'paid'; payment: Payment }
  | { eventId: string; kind: 'closed'; number: string }
  | { eventId: string; kind: 'refund'; refund: ReportedRefund }
  | { eventId: string; kind: 'dispute'; dispute: Dispute }
  | { eventId: string; kind: 'other'; number: string | null }

/** The provider's answer to a query about an order. */
export type OrderLookup = { state: 'paid'; payment: Payment } | { state: 'open' } | { state: 'closed' } | { state: 'unknown' }

/**
 * A line of a statement. Amounts are whole cents before fees, and positive. A refund that failed came in again, and so did a dispute that
 * was won; of other lines we only know that they are there.
 */
export type StatementLine = {
  kind: 'payment' | 'refund' | 'refundFailure' | 'dispute' | 'disputeReversal' | 'fee' | 'other'
  /** Our number of the order or refund; null if the line names none. */
  number: string | null
  providerNumber: string
  /** The provider's number of the payment that a refund or a dispute is of. */
  paymentNumber?: string | undefined
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
  /** Whether its statements list disputes. */
  listsDisputes?: boolean
  start(order: OrderRequest): Promise<NextStep>
  /**
   * The events that a notification tells of, mostly one. Throws `NotVerified` for an invalid or expired signature, `Unreadable` for
   * a signed one that is no event, and `NoAnswer` if it requires a query that failed; the provider repeats it.
   */
  verify(call: RawRequest): Promise<ProviderEvent[]>
  /** The response that the provider expects, accepting or rejecting the notification. */
  acknowledge(isTaken: boolean): WebhookResponse
  query(number: string, placed: OrderHint): Promise<OrderLookup>
  /** Closes the order, so that it cannot be paid any more. Returns false if it is already paid. */
  close(number: string, placed: OrderHint): Promise<boolean>
  /** Refunds a payment or a part of it; idempotent by the refund's number. */
  refund(refund: RefundRequest): Promise<RefundStatus>
  queryRefund(refund: RefundRequest): Promise<RefundStatus>
  /**
   * All moves of a day in its time zone (YYYY-MM-DD); null while the statement is not ready. Throws `UnreadableStatement` for one that is
   * in no known form.
   */
  statement(day: string): Promise<StatementLine[] | null>
  /** Our identity at the provider, which a payment must name. */
  identity(): Promise<{ seller: string; app: string }>
  /** Makes a request that needs every key, and returns the expiry of certificates. Throws if a key is wrong. */
  testKeys(): Promise<KeyExpiry[]>
}

/** Whether a number has the form of our numbers of orders and refunds. An account at a provider may serve other shops too. */
export function isOurs(number: string | null | undefined): number is string {
  return /^\d{20}$/.test(number ?? '')
}

/** A statement that is in no known form, or does not come to its own totals. Other days may be readable. */
export class UnreadableStatement extends RequestFailed {
  override name = 'UnreadableStatement'
}

/** The sender of the call is not the provider, or the signature is too old. */
export class NotVerified extends Error {
  override name = 'NotVerified'
}

/** A message that is signed by the provider, and that we cannot read: no forgery, and not to be lost. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  /** The provider's number of the event, if that can be read, and whether a repetition may be readable, once our key is right. */
  readonly eventId: string | null
  readonly mayBeRepeated: boolean

  constructor(message: string, options: ErrorOptions & { eventId?: string; mayBeRepeated?: boolean } = {}) {
    super(message, options)
    this.eventId = options.eventId ?? null
    this.mayBeRepeated = options.mayBeRepeated ?? false
  }
}

/** Reads a message whose signature was verified. */
export async function readSigned<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isOfShape = [z.ZodError, SyntaxError, RangeError].some((kind) => error instanceof kind)
    throw isOfShape ? new Unreadable('A signed message cannot be read', { cause: error }) : error
  }
}

/** The amount is below the provider's minimum. */
export class TooSmall extends Error {
  override name = 'TooSmall'
}

/** A key of ours that is unreadable, or unknown to the provider. The message names it. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}
