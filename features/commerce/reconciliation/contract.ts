import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { providerNames } from '#payment/contract.ts'
import { PaymentHealth } from '#payment/event-contract.ts'

/** The difference was settled already, or cleared by another statement. */
export const NotDifferent = refusal('reconciliation.notDifferent', { status: 409 })

const when = z.iso.datetime()
const yuan = z.string()
const provider = z.enum(providerNames)

export const differenceKinds = [
  'notHere',
  'notThere',
  'otherAmount',
  'refundNotHere',
  'refundNotThere',
  'refundOtherAmount',
  'refundFailedThere',
  'disputeNotHere',
  'disputeNotThere',
  'disputeOtherAmount',
  'reversalNotHere',
  'unknownLine',
] as const
/** Settled by staff, or cleared by a later statement. */
export const differenceStates = ['open', 'settled', 'cleared'] as const

export const StatementView = z.object({
  id: z.string(),
  provider,
  /** A day in the provider's own time zone. */
  day: z.string(),
  fetchedAt: when,
  payments: z.number(),
  paid: yuan,
  refunds: z.number(),
  refunded: yuan,
  fees: yuan,
  /** Open differences, and all differences. */
  open: z.number(),
  differences: z.number(),
})
export type StatementView = z.infer<typeof StatementView>

export const statementList = read('/admin/payment/statement/list', {
  summary: 'Daily settlement statements of payment providers, newest first, with their numbers of differences.',
  input: listInput(['day'], { provider: provider.optional() }),
  output: listOutput(StatementView),
})

/** Why the statement of a day could not be taken. */
export const statementProblems = ['unreadable', 'noAnswer', 'notReady'] as const

const StatementFailure = z.object({
  provider,
  day: z.string(),
  problem: z.enum(statementProblems),
  /** What was wrong, in the words of the program. */
  detail: z.string(),
  tries: z.number(),
  lastAt: when,
})
export type StatementFailure = z.infer<typeof StatementFailure>

export const statementFailures = read('/admin/payment/statement/failure/list', {
  summary: 'Days whose settlement statement could not be fetched or read. They are retried every hour, and hold up no other day.',
  input: nothing,
  output: z.object({ failures: z.array(StatementFailure) }),
})

export const DifferenceView = z.object({
  id: z.string(),
  provider,
  day: z.string(),
  kind: z.enum(differenceKinds),
  /** The number of the order or refund; the provider's number if it names none of ours. */
  number: z.string(),
  /** The payment that the number belongs to. */
  paymentNumber: z.string().nullable(),
  here: yuan.nullable(),
  there: yuan.nullable(),
  /** The event by which staff book it. */
  eventId: z.string().nullable(),
  state: z.enum(differenceStates),
  settledAt: when.nullable(),
  settledBy: z.string().nullable(),
  answer: z.string().nullable(),
})
export type DifferenceView = z.infer<typeof DifferenceView>

export const differenceList = read('/admin/payment/difference/list', {
  summary: 'Differences between provider statements and the site’s payments and refunds, newest first.',
  input: listInput(['found'], { state: z.enum(differenceStates).optional(), provider: provider.optional(), statement: id.optional() }),
  output: listOutput(DifferenceView),
})

export const settleDifference = write('/admin/payment/difference/settle', {
  summary: 'Settles a reconciliation difference with a note of the outcome.',
  input: z.object({ differenceId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [NotDifferent],
})

const Sums = z.object({ payments: z.number(), paid: yuan, refunded: yuan, disputed: yuan, fees: yuan, net: yuan })

/** By months of the site. */
export const paymentMonth = read('/admin/payment/month', {
  summary: 'Monthly settlement by provider and day: amounts received, refunded and disputed, and provider fees.',
  input: z.object({ month: z.string().regex(/^(19[7-9]|[2-9]\d\d)\d-(0[1-9]|1[0-2])$/) }),
  output: z.object({
    timeZone: z.string(),
    total: Sums,
    providers: z.array(Sums.extend({ provider })),
    days: z.array(Sums.extend({ day: z.string(), provider })),
  }),
})

export const noteMonthExport = exportOf('/admin/payment/month/export')

export const figureDays = [7, 30, 90, 365] as const

export const paymentFigures = read('/admin/payment/figures', {
  summary: 'Payment statistics by day and provider: refunds, disputes, fees, and how many started payments were paid.',
  input: z.object({
    /** The number of days, up to today. */
    days: z
      .int()
      .refine((days) => (figureDays as readonly number[]).includes(days))
      .default(30),
  }),
  output: z.object({
    timeZone: z.string(),
    begun: z.number(),
    payers: z.number(),
    total: Sums,
    days: z.array(z.object({ day: z.string(), payments: z.number(), yuan: z.number(), refunded: z.number() })),
    providers: z.array(Sums.extend({ provider, begun: z.number() })),
  }),
})

export const paymentsWaiting = read('/admin/payment/waiting', {
  summary:
    'Payment items that need attention: suspended events, open disputes, refunds that members ask for or that failed within a week, and differences of reconciliation.',
  input: z.object({}),
  output: z.object({ events: z.number(), disputes: z.number(), refunds: z.number(), differences: z.number() }),
})

/** The health of one provider: of its payments, and of its statements. */
export const ProviderHealth = PaymentHealth.extend({
  /** Days whose statement cannot be read, or is missing for more than a day. */
  failedStatements: z.number(),
})
export type ProviderHealth = z.infer<typeof ProviderHealth>
