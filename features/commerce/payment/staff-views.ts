import { z } from 'zod'
import { providerNames } from '#payment/contract.ts'

export const when = z.iso.datetime()
export const Person = z.object({ id: z.string(), name: z.string() })
/** The number of an order or a refund. */
export const number = z.string().regex(/^\d{20}$/)
/** Yuan with two decimals. */
export const yuan = z.string()
// Earlier dates are outside the calendar of the site.
const day = z.iso.date().refine((value) => value >= '1970-01-01')
export const days = {
  /** Days of the site, both inclusive. */
  from: day.optional(),
  until: day.optional(),
}

export const refundStates = ['asked', 'done', 'failed'] as const
export const RefundView = z.object({
  number: z.string(),
  /** The payment; null for one that was never credited. */
  paymentNumber: z.string().nullable(),
  member: Person.nullable(),
  provider: z.enum(providerNames),
  amount: yuan,
  reason: z.string(),
  /** Made on the provider's own screen, not requested by us. */
  isFromProvider: z.boolean(),
  state: z.enum(refundStates),
  askedAt: when,
  endedAt: when.nullable(),
  providerNumber: z.string().nullable(),
  /** The provider's message for a failed refund. */
  problem: z.string().nullable(),
  transactionId: z.string().nullable(),
})
export type RefundView = z.infer<typeof RefundView>

/** The reasons that Stripe gives, which may give others later. */
export const disputeReasons = [
  'bank_cannot_process',
  'check_returned',
  'credit_not_processed',
  'customer_initiated',
  'debit_not_authorized',
  'duplicate',
  'fraudulent',
  'general',
  'incorrect_account_details',
  'insufficient_funds',
  'noncompliant',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const

/** The words of Stripe for the state of a dispute. */
export const disputeStatuses = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
] as const

export const disputeStates = ['open', 'won', 'lost'] as const
export const DisputeView = z.object({
  id: z.string(),
  paymentNumber: z.string(),
  member: Person,
  provider: z.enum(providerNames),
  providerNumber: z.string(),
  amount: yuan,
  reason: z.string(),
  state: z.enum(disputeStates),
  openedAt: when,
  /** Until when the provider takes a response, and its page. */
  respondBy: when.nullable(),
  link: z.string().nullable(),
  endedAt: when.nullable(),
  transactionId: z.string().nullable(),
})
export type DisputeView = z.infer<typeof DisputeView>

export const eventKinds = ['paid', 'closed', 'refund', 'dispute', 'other'] as const
export const eventStates = ['new', 'done', 'suspended', 'credited', 'returned', 'booked', 'dismissed'] as const
/** The problems for which an event waits for staff. */
export const eventProblems = [
  'unknownOrder',
  'otherProvider',
  'otherAmount',
  'otherCurrency',
  'otherSeller',
  'otherApp',
  'paidTwice',
  'memberGone',
  'notPaid',
  'abovePayment',
  'noAmount',
  'failedBefore',
  'otherState',
  'statementOnly',
  'unreadable',
  'sandbox',
] as const
export type EventProblem = (typeof eventProblems)[number]

export const EventView = z.object({
  id: z.string(),
  provider: z.enum(providerNames),
  kind: z.enum(eventKinds),
  state: z.enum(eventStates),
  /** The number of its order, and whether that exists. */
  number: z.string().nullable(),
  isKnown: z.boolean(),
  amount: yuan.nullable(),
  currency: z.string().nullable(),
  receivedAt: when,
  /** Why it waits for staff, or waited until they settled it. */
  problem: z.enum(eventProblems).nullable(),
})
export type EventView = z.infer<typeof EventView>
