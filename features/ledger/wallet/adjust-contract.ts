import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, read, typedId, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, Person, staffList } from '#base/staff-list.ts'
import {
  AccountMerged,
  amountField,
  BooksFrozen,
  currencies,
  entryKinds,
  NotReversible,
  OwnAccount,
  RequestWaits,
  rewardRules,
  staffMoneyRefusals,
} from '#wallet/contract.ts'
import { AccountView, EntryView, SubjectView } from '#wallet/log-contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'

const amount = z.string()
const reason = plainString.min(1).max(500)

const errors = [OwnAccount, AccountMerged, ...staffMoneyRefusals] as const

const adjustFields = { memberId: id, way: z.enum(['add', 'take']), reason }
const output = z.object({ isWaiting })

export const adjustPoints = write('/admin/wallet/adjustPoints', {
  summary: 'Adds or deducts points of a member. Above the configured limits it waits for approval.',
  input: z.object({ ...adjustFields, amount: amountField('points') }),
  output,
  errors,
})

export const adjustBalance = write('/admin/wallet/adjustBalance', {
  summary: 'Credits or debits a member’s balance. Above the configured limits it waits for approval.',
  input: z.object({ ...adjustFields, amount: amountField('cny') }),
  output,
  errors,
})

const Sums = z.object({ points: amount, cny: amount })

export const memberAccounts = read('/admin/wallet/member', {
  summary: 'A member’s points and balance with debts and holds, and their entries, newest first.',
  input: z.object({
    memberId: id,
    currency: z.enum(currencies).default('points'),
    kind: z.enum(entryKinds).optional(),
    before: id.optional(),
  }),
  output: z.object({
    member: Person,
    isOfMe: z.boolean(),
    earned: z.number(),
    accounts: z.array(AccountView.extend({ currency: z.enum(currencies), held: amount })),
    waiting: z.number(),
    /** Limits without approval: for one member within 24 hours, and for all members on one day. */
    alone: Sums,
    aloneADay: Sums,
    log: z.object({ rows: z.array(EntryView), next: z.string().nullable() }),
  }),
})

const actor = z.object({ kind: z.enum(['member', 'staff', 'forum']), id: z.string().nullable(), name: z.string().nullable() })

const entryKind = field.choice(entryKinds)

export const transactions = staffList('/admin/wallet/transaction/list', {
  summary: 'Transactions in the ledger.',
  words: 'walletAdmin',
  columns: {
    id: field.labelled('number', field.text),
    at: field.time,
    kind: entryKind,
    sums: field.labelled('amount', field.other(z.array(z.object({ currency: z.enum(currencies), amount })))),
    members: field.other(z.array(Person)),
    actor: field.labelled('by', field.other(actor)),
    reason: field.orNull(field.text),
    source: field.extra(field.text),
  },
  values: { reverses: z.string().nullable(), reversedBy: z.string().nullable() },
  filters: {
    number: field.typed(typedId.optional()),
    kind: entryKind,
    currency: field.choice(currencies),
    member: field.person,
    ...field.times,
  },
  sorts: { at: 'at' },
})
export type TransactionRow = z.output<typeof transactions.row>

export const noteTransactionExport = exportOf('/admin/wallet/transaction/export')

export const transaction = read('/admin/wallet/transaction', {
  summary: 'A transaction with its entries.',
  input: z.object({ transactionId: id }),
  output: transactions.row.extend({
    subject: SubjectView.nullable(),
    /** The topic of the hidden part that was paid for or refunded. */
    topicId: z.string().nullable(),
    /** Whether the current actor can reverse it by hand. */
    canReverse: z.boolean(),
    /** A request to reverse it waits for approval. */
    isWaiting,
    entries: z.array(
      z.object({
        account: z.enum([
          'member',
          'escrow',
          'platform',
          'promotion',
          'clearing',
          'adjustment',
          'fee',
          'payout',
          'membership',
          'unclaimed',
        ]),
        owner: Person.nullable(),
        currency: z.enum(currencies),
        amount,
        balance: amount.nullable(),
      }),
    ),
  }),
})

export const reverseTransaction = write('/admin/wallet/transaction/reverse', {
  summary: 'Reverses a transaction; amounts already spent become debts. Above the configured limits it waits for approval.',
  input: z.object({ transactionId: id, reason }),
  /** The transaction is null while the request waits. */
  output: z.object({ isWaiting, transactionId: z.string().nullable() }),
  errors: [OwnAccount, NotReversible, RequestWaits, BooksFrozen],
})

const points = z.int().min(0).max(10_000)
const most = z.int().min(0).max(100_000)

export const previewDays = 30

export const previewRules = read('/admin/wallet/preview', {
  summary: 'Simulation of point rules on the published posts of the last 30 days, compared with the current rules.',
  input: z.object({
    ...(Object.fromEntries(
      rewardRules.flatMap((rule) => [
        [`${rule}Points`, points],
        [`${rule}PointsPerDay`, most],
      ]),
    ) as Record<`${(typeof rewardRules)[number]}Points` | `${(typeof rewardRules)[number]}PointsPerDay`, z.ZodInt>),
    likedPointsPerDayFromOneMember: most,
    pointsPerDay: most,
  }),
  output: z.object({
    rules: z.array(
      z.object({
        rule: z.enum(rewardRules),
        posts: z.number(),
        now: z.number(),
        wanted: z.number(),
        /** The number of members who reached the day's limit at least once. */
        cappedNow: z.number(),
        cappedWanted: z.number(),
      }),
    ),
    inAll: z.object({ members: z.number(), now: z.number(), wanted: z.number(), cappedNow: z.number(), cappedWanted: z.number() }),
  }),
})
