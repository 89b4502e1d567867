import { z } from 'zod'
import { id, nothing, read, time, typedId, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { Person } from '#base/staff-list.ts'
import {
  AboveBookable,
  BookedAlready,
  NoMoney,
  NoSuchMember,
  NoSuchPayment,
  NotBookable,
  NotPaid,
  NotSuspended,
  providerNames,
} from '#payment/contract.ts'
import { DisputeView, EventView, RefundView } from '#payment/staff-contract.ts'
import { number, yuan } from '#payment/staff-views.ts'
import { amountField, BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

export const staffEvent = read('/admin/payment/event', {
  summary: 'An event from a payment provider with its original content and the result of its processing.',
  input: z.object({ eventId: id }),
  output: EventView.extend({
    eventNumber: z.string(),
    providerNumber: z.string().nullable(),
    seller: z.string().nullable(),
    app: z.string().nullable(),
    paidAt: time.nullable(),
    /** The amount of the order. */
    ordered: yuan.nullable(),
    member: Person.nullable(),
    /** At most the first 20,000 characters, without signatures. */
    body: z.string(),
    handledAt: time.nullable(),
    handledBy: z.string().nullable(),
    answer: z.string().nullable(),
    creditedTo: Person.nullable(),
    /** The payment that it was credited as. */
    creditedAs: z.string().nullable(),
    transactionId: z.string().nullable(),
    refund: RefundView.nullable(),
    dispute: DisputeView.nullable(),
    canCredit: z.boolean(),
    canReturn: z.boolean(),
    /** A refund or a dispute that the provider has taken already, with the payment that it is of and the amount, as far as they are known. */
    canBook: z.boolean(),
    /** A signed message that could not be read, which a newer version may read. */
    canReadAgain: z.boolean(),
    booking: z.object({ number: z.string().nullable(), amount: yuan.nullable() }),
    /** Of a refund or a dispute: the provider's number of the payment. */
    paymentNumber: z.string().nullable(),
    /** Of a dispute: what it took from the account, the provider's word for its state, the deadline of a response, and the provider's page. */
    settled: yuan.nullable(),
    status: z.string().nullable(),
    reason: z.string().nullable(),
    respondBy: time.nullable(),
    link: z.string().nullable(),
    isWaiting,
  }),
})

export const creditEvent = write('/admin/payment/event/credit', {
  summary:
    'Credits the amount received by the provider in a suspended event to a member. Above the configured limits it waits for approval.',
  input: z.object({ eventId: id, memberId: typedId, reason: plainString.min(1).max(500) }),
  output: z.object({ isWaiting, transactionId: z.string().nullable() }),
  errors: [NotSuspended, NoMoney, NoSuchMember, OwnAccount, RequestWaits, BooksFrozen],
})

export const returnEvent = write('/admin/payment/event/return', {
  summary: 'Refunds a suspended payment through its provider. No balance changes, as nothing was credited.',
  input: z.object({ eventId: id, reason: plainString.min(1).max(500) }),
  output: z.object({ refundNumber: z.string() }),
  errors: [NotSuspended, NoMoney, RequestWaits],
})

export const bookEvent = write('/admin/payment/event/book', {
  summary:
    'Books a suspended refund or dispute as one of a payment, and debits the balance. Above the configured limits it waits for approval.',
  input: z.object({ eventId: id, number, amount: amountField('cny'), reason: plainString.min(1).max(500) }),
  output: z.object({ isWaiting, transactionId: z.string().nullable() }),
  errors: [NotSuspended, NotBookable, BookedAlready, NoSuchPayment, NotPaid, AboveBookable, OwnAccount, RequestWaits, BooksFrozen],
})

export const dismissEvent = write('/admin/payment/event/dismiss', {
  summary: 'Settles a suspended event without a credit.',
  input: z.object({ eventId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [NotSuspended, RequestWaits],
})

/** What comes of another reading: the event is processed, or can still not be read, verified or completed. */
export const readings = ['read', 'unreadable', 'notVerified', 'noAnswer'] as const

export const readEventAgain = write('/admin/payment/event/readAgain', {
  summary: 'Reads a signed message again that could not be read when it came. If it can be read now, it is processed like a new one.',
  input: z.object({ eventId: id }),
  output: z.object({ outcome: z.enum(readings) }),
  errors: [NotSuspended],
})

/** The reasons for which a provider's keys may not work. */
export const keyProblems = ['notSet', 'wrongKey', 'refused', 'noAnswer'] as const

const Ending = z.object({ name: z.string(), endsAt: time })

/** The health of payments by one provider. */
export const PaymentHealth = z.object({
  name: z.enum(providerNames),
  /** Consecutive failed calls. */
  failures: z.number(),
  /** The result of the last test of its keys; a missing key is not tested. */
  keyProblem: z.enum(keyProblems).nullable(),
  endings: z.array(Ending),
  /** The age of its oldest unprocessed event in seconds; null if there is none. */
  inboxSeconds: z.number().nullable(),
  suspended: z.number(),
  /** The suspended ones that are signed and cannot be read. */
  unreadable: z.number(),
  /** Open for an hour beyond their expiry. */
  lateOrders: z.number(),
  /** Requested more than a day ago. */
  lateRefunds: z.number(),
})
export type PaymentHealth = z.infer<typeof PaymentHealth>

export const providerStates = read('/admin/payment/provider/list', {
  summary: 'Payment providers with their state, configuration and health within the last 24 hours.',
  input: z.object({}),
  output: z.object({
    providers: z.array(
      z.object({
        name: z.enum(providerNames),
        isOn: z.boolean(),
        isSetUp: z.boolean(),
        /** Within 24 hours. */
        begun: z.number(),
        paid: z.number(),
        /** The time of the last notification. */
        lastEventAt: time.nullable(),
        /** The address to enter at the provider for notifications. */
        notifyUrl: z.string(),
        endings: z.array(Ending),
      }),
    ),
  }),
})

export const testProvider = write('/admin/payment/provider/test', {
  summary: 'Tests the keys of a payment provider with a query that moves no money.',
  input: z.object({ provider: z.enum(providerNames) }),
  output: z.object({
    problem: z.enum(keyProblems).nullable(),
    detail: z.string().nullable(),
    endings: z.array(Ending),
  }),
})
