import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, read, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { typedDigits } from '#base/typed-number.ts'
import { AboveBalance, AboveRefundable, NotPaid, paidMethods, ProviderUnavailable, providerNames } from '#payment/contract.ts'
import { RefundRequestView } from '#payment/refund-contract.ts'
import { days, disputeStates, DisputeView, EventView, number, Person, refundStates, RefundView, when, yuan } from '#payment/staff-views.ts'
import { amountField, BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

/** The state of an order, including refunds and disputes. */
export const paymentStates = ['open', 'paid', 'closed', 'refunded', 'disputed'] as const

const orderFilters = {
  number: typedDigits.regex(/^\d{1,20}$/).optional(),
  /** The provider's number of the payment. */
  providerNumber: z.string().min(1).max(100).optional(),
  member: id.optional(),
  provider: z.enum(providerNames).optional(),
  state: z.enum(paymentStates).optional(),
  ...days,
}

export const StaffPaymentView = z.object({
  number: z.string(),
  member: Person,
  provider: z.enum(providerNames),
  method: z.enum(paidMethods),
  amount: yuan,
  refunded: yuan,
  state: z.enum(paymentStates),
  createdAt: when,
  paidAt: when.nullable(),
  providerNumber: z.string().nullable(),
})
export type StaffPaymentView = z.infer<typeof StaffPaymentView>

export const paymentList = read('/admin/payment/list', {
  summary: 'Payments by members, newest first.',
  input: listInput(['at'], orderFilters),
  output: listOutput(StaffPaymentView),
})

export const paymentTotals = read('/admin/payment/totals', {
  summary: 'Number of payments that match the filters, with the amounts received and refunded.',
  input: z.object(orderFilters),
  output: z.object({ count: z.number(), paid: yuan, refunded: yuan, disputed: yuan }),
})

export const notePaymentExport = exportOf('/admin/payment/export')

export const staffPayment = read('/admin/payment', {
  summary: 'A payment with its provider events and refunds.',
  input: z.object({ number }),
  output: StaffPaymentView.extend({
    expiresAt: when,
    closedAt: when.nullable(),
    /** The time of the payment by the provider's clock. */
    takenAt: when.nullable(),
    transactionId: z.string().nullable(),
    refundable: yuan,
    /** The member's balance, negative if they owe. */
    balance: yuan,
    events: z.array(EventView),
    refunds: z.array(RefundView),
    disputes: z.array(DisputeView),
    /** The member's request that waits for an answer. */
    refundRequest: RefundRequestView.nullable(),
    isOwn: z.boolean(),
    /** A refund waits for another member of staff. */
    isWaiting,
  }),
})

export const askProvider = write('/admin/payment/ask', {
  summary: 'Queries the provider about a payment now instead of at the next scheduled time. The result is processed like a notification.',
  input: z.object({ number }),
  output: z.object({ state: z.enum(['paid', 'open', 'closed', 'unknown']) }),
  errors: [ProviderUnavailable],
})

export const refundPayment = write('/admin/payment/refund', {
  summary:
    'Refunds a payment in full or in part through its provider and debits the balance. Above the configured limits it waits for approval.',
  input: z.object({
    number,
    amount: amountField('cny'),
    /** Allows the member's balance to go below zero. */
    mayOwe: z.boolean().default(false),
    reason: plainString.min(1).max(500),
  }),
  output: z.object({ isWaiting, refundNumber: z.string().nullable() }),
  errors: [AboveRefundable, NotPaid, AboveBalance, OwnAccount, RequestWaits, BooksFrozen],
})

const refundFilters = {
  state: z.enum(refundStates).optional(),
  provider: z.enum(providerNames).optional(),
  member: id.optional(),
  number: typedDigits.regex(/^\d{1,20}$/).optional(),
  ...days,
}

export const refundList = read('/admin/payment/refund/list', {
  summary: 'Refunds of payments, newest first.',
  input: listInput(['asked'], refundFilters),
  output: listOutput(RefundView),
})

export const refundTotals = read('/admin/payment/refund/totals', {
  summary: 'Number of refunds that match the filters, with the refunded amount.',
  input: z.object(refundFilters),
  output: z.object({ count: z.number(), asked: yuan, done: yuan, failed: yuan }),
})

export const noteRefundExport = exportOf('/admin/payment/refund/export')

export const disputeList = read('/admin/payment/dispute/list', {
  summary: 'Disputes of payments, newest first.',
  input: listInput(['opened'], {
    state: z.enum(disputeStates).optional(),
    provider: z.enum(providerNames).optional(),
    member: id.optional(),
  }),
  output: listOutput(DisputeView),
})
