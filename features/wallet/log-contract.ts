import { z } from 'zod'
import { id, nothing, read } from '#base/contract.ts'
import { threadKinds, kinds } from '#kind/contract.ts'
import { NameView } from '#role/contract.ts'
import { currencies, entryKinds, rewardRules } from '#wallet/contract.ts'

/** As people type it: whole points, or yuan with two places; less than nothing where it goes. */
const amount = z.string()

/** The post that it was for, where the reader may see it. */
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
  /** How much of it paid what was owed, or could not be taken and is owed. */
  owed: amount,
  /** What was there after it. */
  balance: amount,
  reason: z.string().nullable(),
  /** What a reward was for, also where the post is gone. */
  rule: z.enum(rewardRules).nullable(),
  subject: SubjectView.nullable(),
  /** Of the payment that topped the balance up, or that was given back or disputed. */
  paymentNumber: z.string().nullable(),
})
export type EntryView = z.infer<typeof EntryView>

export const AccountView = z.object({ balance: amount, owed: amount })

/** What is held of mine for bounties, and the questions it is held for. */
const HeldView = z.object({ amount, for: z.array(SubjectView) })
export type HeldView = z.infer<typeof HeldView>

/** Of red envelopes: what is held of mine in those that I gave, and what I opened and cannot spend before it is paid, a moment later. */
const InEnvelopesView = z.object({ held: amount, coming: amount })
export type InEnvelopesView = z.infer<typeof InEnvelopesView>

const EntriesView = z.object({ rows: z.array(EntryView), /** What the next page is asked for with. */ next: z.string().nullable() })

export const perPage = 30

/** Before there were clocks there are no days. */
const day = z.iso.date().refine((given) => given >= '1970-01-01')
const filters = { kind: z.enum(entryKinds).optional(), /** A day of the site. */ day: day.optional(), before: id.optional() }

const RuleView = z.object({
  rule: z.enum(rewardRules),
  points: z.number(),
  /** At most so many points in a day; null without a limit. */
  most: z.number().nullable(),
})

export const pointRules = read('/point/rules', {
  summary: 'What points are given for, how many at most in a day, and the levels they lead to.',
  input: nothing,
  output: z.object({
    rules: z.array(
      RuleView.extend({ /** Of that by one and the same member; null without such a limit. */ mostFromOne: z.number().nullable() }),
    ),
    most: z.number().nullable(),
    levels: z.array(z.object({ name: NameView, needs: z.number() })),
  }),
  shared: true,
})

export const point = read('/user/control/point', {
  summary: 'My points, my level, what I earned today, and what came and went, newest first.',
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
  summary: 'My balance, and what came and went, newest first. Missing where the site has none.',
  input: z.object(filters),
  output: z.object({
    account: AccountView,
    held: HeldView,
    inEnvelopes: InEnvelopesView,
    /** In which something came or went, newest first. */ months: z.array(z.string()),
    log: EntriesView,
  }),
})

const OwnView = AccountView.extend({ /** Opened in red envelopes, and not paid yet. */ coming: amount })

/** What I have, in short. */
export const wallet = read('/user/control/wallet', {
  summary: 'How many points I have, and how much balance where the site has one.',
  input: nothing,
  output: z.object({ points: OwnView, cny: OwnView.nullable() }),
})

export const statement = read('/user/control/statement', {
  summary: 'What came and went in a month of the site, newest first, with what was there before and after it.',
  input: z.object({
    currency: z.enum(currencies).default('cny'),
    month: z.string().regex(/^(19[7-9]\d|20\d\d)-(0[1-9]|1[0-2])$/),
    before: id.optional(),
  }),
  output: z.object({ opening: amount, closing: amount, log: EntriesView }),
})
