import { z } from 'zod'
import { field } from '#base/staff-list.ts'
import { typedDigits } from '#base/typed-number.ts'

/** The number of an order or a refund. */
export const number = z.string().regex(/^\d{20}$/)
/** Yuan with two decimals. */
export const yuan = z.string()
/** A filter by the first digits of an order's number. */
export const numberFilter = field.typed(typedDigits.regex(/^\d{1,20}$/).optional())

export const refundStates = ['asked', 'done', 'failed'] as const

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
