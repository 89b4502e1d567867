import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { AboveBalance, AboveRefundable, NotPaid, paidMethods, providerNames, ProviderUnavailable } from '#payment/contract.ts'
import { RefundRequestView } from '#payment/refund-contract.ts'
import { disputeStates, eventKinds, eventProblems, eventStates, number, numberFilter, refundStates, yuan } from '#payment/staff-views.ts'
import { amountField, BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

/** A provider as a column or a filter. */
export const provider = field.choice(providerNames, (name) => `paymentAdmin.provider${name}`)

/** The state of an order, including refunds and disputes. */
export const paymentStates = ['open', 'paid', 'closed', 'refunded', 'disputed'] as const
const paymentState = field.choice(paymentStates, (state) => `state${state}`)

export const paymentList = staffList('/admin/payment/list', {
  summary: 'Payments by members, newest first.',
  words: 'paymentAdmin',
  columns: {
    number: field.text,
    createdAt: field.labelled('begun', field.exactTime),
    member: field.person,
    provider,
    amount: field.yuan,
    refunded: field.yuan,
    state: paymentState,
    paidAt: field.extra(field.orNull(field.exactTime)),
    /** The provider's number of the payment. */
    providerNumber: field.extra(field.orNull(field.text)),
  },
  values: { method: z.enum(paidMethods) },
  filters: {
    number: numberFilter,
    providerNumber: field.typed(z.string().min(1).max(100).optional()),
    member: field.person,
    provider,
    state: paymentState,
    ...field.days,
  },
  sorts: { at: 'createdAt' },
})
export type StaffPaymentView = z.output<typeof paymentList.row>

const refundState = field.choice(refundStates, (state) => `refund${state}`)

export const refundList = staffList('/admin/payment/refund/list', {
  summary: 'Refunds of payments, newest first.',
  words: 'paymentAdmin',
  columns: {
    number: field.labelled('refundNumber', field.text),
    /** Null for a payment that was never credited. */
    paymentNumber: field.labelled('payment', field.orNull(field.text)),
    askedAt: field.exactTime,
    member: field.orNull(field.person),
    provider,
    amount: field.yuan,
    state: refundState,
    reason: field.text,
    endedAt: field.extra(field.orNull(field.exactTime)),
    providerNumber: field.extra(field.orNull(field.text)),
    transactionId: field.extra(field.labelled('transaction', field.orNull(field.text))),
  },
  values: {
    /** Made on the provider's own screen, not requested by us. */
    isFromProvider: z.boolean(),
    /** The provider's message for a failed refund. */
    problem: z.string().nullable(),
  },
  filters: { number: field.labelled('refundNumber', numberFilter), member: field.person, provider, state: refundState, ...field.days },
  sorts: { asked: 'askedAt' },
})
export const RefundView = refundList.row
export type RefundView = z.output<typeof RefundView>

const disputeState = field.choice(disputeStates, (state) => `dispute${state}`)

export const disputeList = staffList('/admin/payment/dispute/list', {
  summary: 'Disputes of payments, newest first.',
  words: 'paymentAdmin',
  columns: {
    openedAt: field.exactTime,
    paymentNumber: field.labelled('payment', field.text),
    member: field.person,
    provider,
    amount: field.yuan,
    reason: field.labelled('disputeReason', field.text),
    /** Until when the provider takes a response. */
    respondBy: field.orNull(field.exactTime),
    state: disputeState,
    endedAt: field.orNull(field.exactTime),
    providerNumber: field.labelled('disputeNumber', field.text),
    transactionId: field.extra(field.labelled('transaction', field.orNull(field.text))),
  },
  /** The page of the provider. */
  values: { link: z.string().nullable() },
  filters: { state: disputeState, provider, member: field.person },
  sorts: { opened: 'openedAt' },
})
export const DisputeView = disputeList.row
export type DisputeView = z.output<typeof DisputeView>

const eventState = field.choice(eventStates, (state) => `event${state}`)
const eventProblem = field.choice(eventProblems, (problem) => `problem${problem}`)
const eventKind = field.choice(eventKinds, (name) => `kind${name}`)

export const eventList = staffList('/admin/payment/event/list', {
  summary: 'Events from payment providers, newest first.',
  words: 'paymentAdmin',
  columns: {
    receivedAt: field.exactTime,
    kind: eventKind,
    /** The reason why it waits for staff, or waited until they settled it. */
    problem: field.orNull(eventProblem),
    /** The number of its order. */
    number: field.orNull(field.text),
    amount: field.orNull(field.text),
    provider,
    state: eventState,
  },
  values: { /** Whether the order exists. */ isKnown: z.boolean(), currency: z.string().nullable() },
  filters: {
    state: eventState,
    problem: eventProblem,
    kind: eventKind,
    provider,
    number: field.typed(z.string().min(1).max(64).optional()),
  },
  sorts: { received: 'receivedAt' },
})
export const EventView = eventList.row
export type EventView = z.output<typeof EventView>

export const paymentTotals = read('/admin/payment/totals', {
  summary: 'Number of payments that match the filters, with the amounts received and refunded.',
  input: paymentList.filterInput,
  output: z.object({ count: z.number(), paid: yuan, refunded: yuan, disputed: yuan }),
})

export const notePaymentExport = exportOf('/admin/payment/export')

export const staffPayment = read('/admin/payment', {
  summary: 'A payment with its provider events and refunds.',
  input: z.object({ number }),
  output: paymentList.row.extend({
    expiresAt: time,
    closedAt: time.nullable(),
    /** The time of the payment by the provider's clock. */
    takenAt: time.nullable(),
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

export const refundTotals = read('/admin/payment/refund/totals', {
  summary: 'Number of refunds that match the filters, with the refunded amount.',
  input: refundList.filterInput,
  output: z.object({ count: z.number(), asked: yuan, done: yuan, failed: yuan }),
})

export const noteRefundExport = exportOf('/admin/payment/refund/export')
