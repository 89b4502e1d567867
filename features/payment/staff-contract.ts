import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { listed, listOf } from '#base/list.ts'
import { plain } from '#base/plain-text.ts'
import { paymentMethods, ProviderAway, providerNames } from '#payment/contract.ts'
import { amountField, BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

/** More than was paid, less what was refunded and what a bank took. */
export const AboveRefundable = refusal('payment.aboveRefundable', { field: 'amount' })
/** More than the member has, who shall owe nothing. */
export const AboveBalance = refusal('payment.aboveBalance', { field: 'amount' })
export const NotPaid = refusal('payment.notPaid', { status: 409 })
/** Somebody else has settled it, or nothing is wrong with it. */
export const NotSuspended = refusal('payment.notSuspended', { status: 409 })
/** Not a payment in yuan to us, so there is nothing that could be credited or given back. */
export const NoMoney = refusal('payment.noMoney', { status: 409 })
export const NoSuchMember = refusal('payment.noSuchMember', { field: 'memberId' })

const when = z.iso.datetime()
const Person = z.object({ id: z.string(), name: z.string() })
const number = z.string().regex(/^\d{20}$/)
/** Yuan with two places. */
const yuan = z.string()
// Before the first of them there is no calendar to count in.
const day = z.iso.date().refine((given) => given >= '1970-01-01')
const days = {
  /** Days of the site, both included. */
  from: day.optional(),
  until: day.optional(),
}

/** Of an order, with what became of its money. */
export const paymentStates = ['open', 'paid', 'closed', 'refunded', 'disputed'] as const

const orderFilters = {
  number: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** The payment as the provider calls it. */
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
  method: z.enum(paymentMethods),
  amount: yuan,
  refunded: yuan,
  state: z.enum(paymentStates),
  createdAt: when,
  paidAt: when.nullable(),
  providerNumber: z.string().nullable(),
})
export type StaffPaymentView = z.infer<typeof StaffPaymentView>

export const paymentList = read('/admin/payment/list', {
  does: 'Payments of members, newest first.',
  takes: listOf(['at'], orderFilters),
  gives: listed(StaffPaymentView),
})

export const paymentTotals = read('/admin/payment/totals', {
  does: 'How many payments a filter finds, what came in by them, and what went back.',
  takes: z.object(orderFilters),
  gives: z.object({ count: z.number(), paid: yuan, refunded: yuan, disputed: yuan }),
})

export const notePaymentExport = exportOf('/admin/payment/export')

export const refundStates = ['asked', 'done', 'failed'] as const
export const RefundView = z.object({
  number: z.string(),
  /** The payment; null for one that was never credited. */
  paymentNumber: z.string().nullable(),
  member: Person.nullable(),
  provider: z.enum(providerNames),
  amount: yuan,
  reason: z.string(),
  state: z.enum(refundStates),
  askedAt: when,
  endedAt: when.nullable(),
  providerNumber: z.string().nullable(),
  /** What the provider says of one that failed. */
  problem: z.string().nullable(),
  transactionId: z.string().nullable(),
})
export type RefundView = z.infer<typeof RefundView>

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
  endedAt: when.nullable(),
  transactionId: z.string().nullable(),
})
export type DisputeView = z.infer<typeof DisputeView>

export const eventKinds = ['paid', 'closed', 'refund', 'dispute', 'other'] as const
export const eventStates = ['new', 'done', 'suspended', 'credited', 'returned', 'dismissed'] as const
/** Why an event waits for staff. */
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
] as const
export type EventProblem = (typeof eventProblems)[number]

export const EventView = z.object({
  id: z.string(),
  provider: z.enum(providerNames),
  kind: z.enum(eventKinds),
  state: z.enum(eventStates),
  /** The order that it names, and whether there is one. */
  number: z.string().nullable(),
  isKnown: z.boolean(),
  amount: yuan.nullable(),
  currency: z.string().nullable(),
  receivedAt: when,
  problem: z.enum(eventProblems).nullable(),
})
export type EventView = z.infer<typeof EventView>

export const staffPayment = read('/admin/payment', {
  does: 'One payment, with everything that was told of it and what went back.',
  takes: z.object({ number }),
  gives: StaffPaymentView.extend({
    expiresAt: when,
    closedAt: when.nullable(),
    /** When the provider took the money, by its clock. */
    takenAt: when.nullable(),
    transactionId: z.string().nullable(),
    refundable: yuan,
    /** Of the member, who may owe what they have spent. */
    balance: yuan,
    events: z.array(EventView),
    refunds: z.array(RefundView),
    disputes: z.array(DisputeView),
    isOwn: z.boolean(),
    /** A refund waits for another member of staff. */
    isWaiting,
  }),
})

export const askProvider = write('/admin/payment/ask', {
  does: 'Asks the provider for a payment now, in place of when its next time comes. What it says is worked off as a notification is.',
  takes: z.object({ number }),
  gives: z.object({ state: z.enum(['paid', 'open', 'closed', 'unknown']) }),
  refuses: [ProviderAway],
})

export const refundPayment = write('/admin/payment/refund', {
  does: 'Gives a payment or a part of it back to the payer by its provider, and takes it from the balance. Above the limits of the settings it waits for another member of staff.',
  takes: z.object({
    number,
    amount: amountField('cny'),
    /** The member may owe what they have spent. */
    mayOwe: z.boolean().default(false),
    reason: plain.min(1).max(500),
  }),
  gives: z.object({ isWaiting, refundNumber: z.string().nullable() }),
  refuses: [AboveRefundable, NotPaid, AboveBalance, OwnAccount, RequestWaits, BooksFrozen],
})

const refundFilters = {
  state: z.enum(refundStates).optional(),
  provider: z.enum(providerNames).optional(),
  member: id.optional(),
  number: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  ...days,
}

export const refundList = read('/admin/payment/refund/list', {
  does: 'Refunds of payments, newest first.',
  takes: listOf(['asked'], refundFilters),
  gives: listed(RefundView),
})

export const refundTotals = read('/admin/payment/refund/totals', {
  does: 'How many refunds a filter finds, and what went back by them.',
  takes: z.object(refundFilters),
  gives: z.object({ count: z.number(), asked: yuan, done: yuan, failed: yuan }),
})

export const noteRefundExport = exportOf('/admin/payment/refund/export')

export const disputeList = read('/admin/payment/dispute/list', {
  does: 'Disputes of payments, newest first.',
  takes: listOf(['opened'], { state: z.enum(disputeStates).optional(), provider: z.enum(providerNames).optional(), member: id.optional() }),
  gives: listed(DisputeView),
})

const eventFilters = {
  state: z.enum(eventStates).optional(),
  kind: z.enum(eventKinds).optional(),
  problem: z.enum(eventProblems).optional(),
  provider: z.enum(providerNames).optional(),
  number: z.string().min(1).max(64).optional(),
}

export const eventList = read('/admin/payment/event/list', {
  does: 'What providers told, newest first.',
  takes: listOf(['received'], eventFilters),
  gives: listed(EventView),
})

export const staffEvent = read('/admin/payment/event', {
  does: 'One thing that a provider told, as it came, and what became of it.',
  takes: z.object({ eventId: id }),
  gives: EventView.extend({
    eventNumber: z.string(),
    providerNumber: z.string().nullable(),
    seller: z.string().nullable(),
    app: z.string().nullable(),
    paidAt: when.nullable(),
    /** The amount of the order. */
    ordered: yuan.nullable(),
    member: Person.nullable(),
    /** At most the first 20,000 characters, without what its signature is. */
    body: z.string(),
    handledAt: when.nullable(),
    handledBy: z.string().nullable(),
    answer: z.string().nullable(),
    creditedTo: Person.nullable(),
    transactionId: z.string().nullable(),
    refund: RefundView.nullable(),
    canCredit: z.boolean(),
    canReturn: z.boolean(),
    isWaiting,
  }),
})

export const creditEvent = write('/admin/payment/event/credit', {
  does: 'Credits what a suspended event says that the provider took to a member. Above the limits of the settings it waits for another member of staff.',
  takes: z.object({ eventId: id, memberId: id, reason: plain.min(1).max(500) }),
  gives: z.object({ isWaiting, transactionId: z.string().nullable() }),
  refuses: [NotSuspended, NoMoney, NoSuchMember, OwnAccount, RequestWaits, BooksFrozen],
})

export const returnEvent = write('/admin/payment/event/return', {
  does: 'Gives a suspended payment back to its payer by the provider. Nothing was credited, so no balance changes.',
  takes: z.object({ eventId: id, reason: plain.min(1).max(500) }),
  gives: z.object({ refundNumber: z.string() }),
  refuses: [NotSuspended, NoMoney],
})

export const dismissEvent = write('/admin/payment/event/dismiss', {
  does: 'Settles a suspended event of which nothing is to be credited.',
  takes: z.object({ eventId: id, reason: plain.min(1).max(500) }),
  gives: nothing,
  refuses: [NotSuspended],
})

export const paymentsWaiting = read('/admin/payment/waiting', {
  does: 'How much of payments waits for staff: suspended events, open disputes, refunds that failed within a week, differences of statements.',
  takes: z.object({}),
  gives: z.object({ events: z.number(), disputes: z.number(), failedRefunds: z.number(), differences: z.number() }),
})

/** What keeps a provider from working with its keys. */
export const keyProblems = ['notSet', 'wrongKey', 'refused', 'noAnswer'] as const

export const providerStates = read('/admin/payment/provider/list', {
  does: 'Payment providers: which are on, whether they are set up, and how they did within the last day.',
  takes: z.object({}),
  gives: z.object({
    providers: z.array(
      z.object({
        name: z.enum(providerNames),
        isOn: z.boolean(),
        isSetUp: z.boolean(),
        /** Within 24 hours. */
        begun: z.number(),
        paid: z.number(),
        /** The last time that it told of anything, ever. */
        lastEventAt: when.nullable(),
        /** The address to enter at the provider for notifications. */
        notifyUrl: z.string(),
        endings: z.array(z.object({ name: z.string(), endsAt: when })),
      }),
    ),
  }),
})

export const testProvider = write('/admin/payment/provider/test', {
  does: 'Tries the keys of a payment provider out, with a question that moves nothing.',
  takes: z.object({ provider: z.enum(providerNames) }),
  gives: z.object({
    problem: z.enum(keyProblems).nullable(),
    /** What the provider says of it. */
    detail: z.string().nullable(),
    endings: z.array(z.object({ name: z.string(), endsAt: when })),
  }),
})
