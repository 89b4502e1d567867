import type { RawCall, HookAnswer } from '#base/server/hook.ts'
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
export type Start = { go: 'page' | 'qr'; to: string }

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

/** What a provider says, after its signature was verified. */
export type Said =
  | { eventId: string; kind: 'paid'; payment: Payment }
  | { eventId: string; kind: 'closed'; number: string }
  | { eventId: string; kind: 'other'; number: string | null }

/** What it answers when it is asked for an order. */
export type Found = { state: 'paid'; payment: Payment } | { state: 'open' } | { state: 'closed' } | { state: 'unknown' }

/** A payment provider. Every function but `verify` may throw `NoAnswer` where it cannot be reached. */
export type Provider = {
  name: ProviderName
  start(order: Ordered): Promise<Start>
  /** Throws `NotVerified` for what it did not sign, or signed too long ago. */
  verify(call: RawCall): Promise<Said>
  /** The answer that it expects: whether what it said has been taken. */
  acknowledge(isTaken: boolean): HookAnswer
  query(number: string): Promise<Found>
  /** Lets nobody pay the order any more. False where it has been paid. */
  close(number: string): Promise<boolean>
  /** Who we are there: what a payment must name. */
  us(): Promise<{ seller: string; app: string }>
}

/** A call whose sender is not the provider, or not now. */
export class NotVerified extends Error {
  override name = 'NotVerified'
}
