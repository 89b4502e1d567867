import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, nothing, read, refusal, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { PaymentHealth } from '#payment/event-contract.ts'
import { provider } from '#payment/staff-contract.ts'

/** The difference was settled already, or cleared by another statement. */
export const NotDifferent = refusal('reconciliation.notDifferent', { status: 409 })

const yuan = z.string()

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

export const statementList = staffList('/admin/payment/statement/list', {
  summary: 'Daily settlement statements of payment providers, newest first, with their numbers of differences.',
  words: 'reconciliationAdmin',
  columns: {
    /** A day in the provider's own time zone. */
    day: field.text,
    provider,
    payments: field.number,
    paid: field.yuan,
    refunds: field.number,
    refunded: field.yuan,
    fees: field.yuan,
    differences: field.number,
    fetchedAt: field.extra(field.exactTime),
  },
  values: { /** Open differences. */ open: z.number() },
  filters: { provider },
  sorts: { day: 'day' },
})
export type StatementView = z.output<typeof statementList.row>

/** Why the statement of a day could not be taken. */
export const statementProblems = ['unreadable', 'noAnswer', 'notReady'] as const

const StatementFailure = z.object({
  provider: provider.row,
  day: z.string(),
  problem: z.enum(statementProblems),
  /** What was wrong, in the words of the program. */
  detail: z.string(),
  tries: z.number(),
  lastAt: time,
})
export type StatementFailure = z.infer<typeof StatementFailure>

export const statementFailures = read('/admin/payment/statement/failure/list', {
  summary: 'Days whose settlement statement could not be fetched or read. They are retried every hour, and hold up no other day.',
  input: nothing,
  output: z.object({ failures: z.array(StatementFailure) }),
})

const differenceState = field.choice(differenceStates, (state) => `difference${state}`)

export const differenceList = staffList('/admin/payment/difference/list', {
  summary: 'Differences between provider statements and the site’s payments and refunds, newest first.',
  words: 'reconciliationAdmin',
  columns: {
    day: field.text,
    provider,
    kind: field.labelled(
      'difference',
      field.choice(differenceKinds, (name) => `differs${name}`),
    ),
    /** The number of the order or refund; the provider's number if it names none of ours. */
    number: field.labelled('anyNumber', field.text),
    here: field.orNull(field.yuan),
    there: field.orNull(field.yuan),
    state: differenceState,
  },
  values: {
    /** The payment that the number belongs to. */
    paymentNumber: z.string().nullable(),
    /** The event by which staff book it. */
    eventId: z.string().nullable(),
    settledAt: time.nullable(),
    settledBy: z.string().nullable(),
    answer: z.string().nullable(),
  },
  filters: { state: differenceState, provider, statement: field.typed(id.optional()) },
  sorts: { found: null },
})
export type DifferenceView = z.output<typeof differenceList.row>

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
    providers: z.array(Sums.extend({ provider: provider.row })),
    days: z.array(Sums.extend({ day: z.string(), provider: provider.row })),
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
    providers: z.array(Sums.extend({ provider: provider.row, begun: z.number() })),
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
