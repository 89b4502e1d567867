import { z } from 'zod'
import { id, nothing, read } from '#base/contract.ts'
import { threadKinds, kinds } from '#kind/contract.ts'
import { NameView } from '#role/contract.ts'
import { currencies, entryKinds, rewardRules } from '#wallet/contract.ts'

/** As typed: whole points, or yuan with two decimals; negative for an expense. */
const amount = z.string()

/** The post that it was for, if the reader may see it. */
export const SubjectView = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  topicId: z.string(),
  threadKind: z.enum(threadKinds),
  commentId: z.string().nullable(),
  title: z.string(),
})
export type SubjectView = z.infer<typeof SubjectView>

export const EntryView = z.object({
  /** The number of its transaction. */
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(entryKinds),
  amount,
  /** The part that paid a debt, or that could not be taken and is owed. */
  owed: amount,
  /** The balance after it. */
  balance: amount,
  reason: z.string().nullable(),
  /** The rule of a reward, even if the post is gone. */
  rule: z.enum(rewardRules).nullable(),
  subject: SubjectView.nullable(),
  /** The payment that topped up the balance, or was refunded or disputed. */
  paymentNumber: z.string().nullable(),
})
export type EntryView = z.infer<typeof EntryView>

export const AccountView = z.object({ balance: amount, owed: amount })

/** The amount held for the member's bounties, and their questions. */
const HeldView = z.object({ amount, for: z.array(SubjectView) })
export type HeldView = z.infer<typeof HeldView>

/** Red envelopes: the amount held in those that the member gave, and opened shares that can be spent once they are paid, a moment later. */
const InEnvelopesView = z.object({ held: amount, coming: amount })
export type InEnvelopesView = z.infer<typeof InEnvelopesView>

const EntriesView = z.object({ rows: z.array(EntryView), /** The cursor of the next page. */ next: z.string().nullable() })

export const perPage = 30

/** Earlier dates are outside the calendar of the site. */
const day = z.iso.date().refine((value) => value >= '1970-01-01')
const filters = { kind: z.enum(entryKinds).optional(), /** A day of the site. */ day: day.optional(), before: id.optional() }

const RuleView = z.object({
  rule: z.enum(rewardRules),
  points: z.number(),
  /** The daily maximum; null without a limit. */
  most: z.number().nullable(),
})

export const pointRules = read('/point/rules', {
  summary: 'Rules for earning points with their daily limits, and the levels.',
  input: nothing,
  output: z.object({
    rules: z.array(RuleView.extend({ /** The daily maximum from one member; null without a limit. */ mostFromOne: z.number().nullable() })),
    most: z.number().nullable(),
    levels: z.array(z.object({ name: NameView, needs: z.number() })),
  }),
  shared: true,
})

export const point = read('/user/control/point', {
  summary: 'The member’s points, level, earnings of today and entries, newest first.',
  input: z.object(filters),
  output: z.object({
    account: AccountView,
    held: HeldView,
    inEnvelopes: InEnvelopesView,
    level: z.object({ rank: z.number(), name: NameView, points: z.number(), nextAt: z.number().nullable() }),
    today: z.array(RuleView.extend({ earned: z.number() })),
    todayInAll: z.object({ earned: z.number(), most: z.number().nullable() }),
    log: EntriesView,
  }),
})

export const balance = read('/user/control/balance', {
  summary: 'The member’s balance and its entries, newest first. Responds 404 on a site without balances.',
  input: z.object(filters),
  output: z.object({
    account: AccountView,
    /** The part of the balance that cannot be spent, because a trial of the site credited it. */
    unspendable: amount,
    held: HeldView,
    inEnvelopes: InEnvelopesView,
    /** Months with entries, newest first. */ months: z.array(z.string()),
    log: EntriesView,
  }),
})

const OwnView = AccountView.extend({ /** Shares of red envelopes that are opened but not paid yet. */ coming: amount })

export const wallet = read('/user/control/wallet', {
  summary: 'The member’s points, and the balance on a site with balances.',
  input: nothing,
  output: z.object({ points: OwnView, cny: OwnView.nullable() }),
})

export const statement = read('/user/control/statement', {
  summary: 'Entries of one calendar month of the site, newest first, with the opening and closing amounts.',
  input: z.object({
    currency: z.enum(currencies).default('cny'),
    month: z.string().regex(/^(19[7-9]\d|20\d\d)-(0[1-9]|1[0-2])$/),
    before: id.optional(),
  }),
  output: z.object({ opening: amount, closing: amount, log: EntriesView }),
})
