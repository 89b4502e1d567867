import { z } from 'zod'
import { id, nothing, read, typedId, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { NoMoney, NoSuchMember, NotSuspended, providerNames } from '#payment/contract.ts'
import { eventKinds, eventProblems, eventStates, EventView, Person, RefundView, when, yuan } from '#payment/staff-views.ts'
import { BooksFrozen, OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

const eventFilters = {
  state: z.enum(eventStates).optional(),
  kind: z.enum(eventKinds).optional(),
  problem: z.enum(eventProblems).optional(),
  provider: z.enum(providerNames).optional(),
  number: z.string().min(1).max(64).optional(),
}

export const eventList = read('/admin/payment/event/list', {
  summary: 'Events from payment providers, newest first.',
  input: listInput(['received'], eventFilters),
  output: listOutput(EventView),
})

export const staffEvent = read('/admin/payment/event', {
  summary: 'An event from a payment provider with its original content and the result of its processing.',
  input: z.object({ eventId: id }),
  output: EventView.extend({
    eventNumber: z.string(),
    providerNumber: z.string().nullable(),
    seller: z.string().nullable(),
    app: z.string().nullable(),
    paidAt: when.nullable(),
    /** The amount of the order. */
    ordered: yuan.nullable(),
    member: Person.nullable(),
    /** At most the first 20,000 characters, without signatures. */
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

export const dismissEvent = write('/admin/payment/event/dismiss', {
  summary: 'Settles a suspended event without a credit.',
  input: z.object({ eventId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [NotSuspended, RequestWaits],
})

export const paymentsWaiting = read('/admin/payment/waiting', {
  summary:
    'Payment items that need attention: suspended events, open disputes, refunds failed within a week, and differences of reconciliation.',
  input: z.object({}),
  output: z.object({ events: z.number(), disputes: z.number(), failedRefunds: z.number(), differences: z.number() }),
})

/** The reasons for which a provider's keys may not work. */
export const keyProblems = ['notSet', 'wrongKey', 'refused', 'noAnswer'] as const

const Ending = z.object({ name: z.string(), endsAt: when })

/** The health of one provider. */
export const ProviderHealth = z.object({
  name: z.enum(providerNames),
  /** Consecutive failed calls. */
  failures: z.number(),
  /** The result of the last test of its keys; a missing key is not tested. */
  keyProblem: z.enum(keyProblems).nullable(),
  endings: z.array(Ending),
  /** The age of its oldest unprocessed event in seconds; null if there is none. */
  inboxSeconds: z.number().nullable(),
  suspended: z.number(),
  /** Open for an hour beyond their expiry. */
  lateOrders: z.number(),
  /** Requested more than a day ago. */
  lateRefunds: z.number(),
})
export type ProviderHealth = z.infer<typeof ProviderHealth>

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
        lastEventAt: when.nullable(),
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
