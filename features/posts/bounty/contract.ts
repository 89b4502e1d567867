import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { Banned } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { amountField, moneyRefusals, RequestWaits, staffMoneyRefusals } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'
import { ReasonNeeded } from '#writing/contract.ts'

export const bountyStates = ['waiting', 'open', 'paid', 'returned'] as const

export const bountyFilters = ['any', 'points', 'cash'] as const
export type BountyFilter = (typeof bountyFilters)[number]

export type BountyState = (typeof bountyStates)[number]

/** The amount is outside the site's limits, or below the open bounty, which is never lowered. */
export const PointsOutside = refusal('bounty.pointsOutside', { field: 'bountyPoints' })
export const CashOutside = refusal('bounty.cashOutside', { field: 'bountyCash' })
export const DaysOutside = refusal('bounty.daysOutside', { field: 'bountyDays' })
export const PointsShort = refusal('bounty.pointsShort', { field: 'bountyPoints' })
export const CashShort = refusal('bounty.cashShort', { field: 'bountyCash' })
/** Carries the sum that the asker owes. */
export const PointsOwed = refusal('bounty.pointsOwed', { field: 'bountyPoints' })
export const CashOwed = refusal('bounty.cashOwed', { field: 'bountyCash' })
export const CashAboveMinorLimit = refusal('bounty.cashAboveMinorLimit', { field: 'bountyCash' })
export const NoPointsHere = refusal('bounty.noPointsHere', { field: 'bountyPoints' })
export const NoCashHere = refusal('bounty.noCashHere', { field: 'bountyCash' })
/** The bounty was paid or returned, or never existed. */
export const NotOpen = refusal('bounty.notOpen', { status: 409 })
/** The deadline has passed, so no answer is paid. */
export const BountyOver = refusal('bounty.over', { status: 409 })
export const OnlyAsker = refusal('bounty.onlyAsker', { status: 403 })
/** The other answers get more than the bounty, or a part is zero. */
export const SplitWrong = refusal('bounty.splitWrong', { field: 'split' })
/** Only staff move a payout. */
export const PaidStays = refusal('bounty.paidStays')
/** The asker owes the amount taken back, so it cannot be paid again. */
export const AskerOwes = refusal('bounty.askerOwes')

export const offerRefusals = [
  PointsOutside,
  CashOutside,
  DaysOutside,
  PointsShort,
  CashShort,
  PointsOwed,
  CashOwed,
  CashAboveMinorLimit,
  NoPointsHere,
  NoCashHere,
  /** Offering money requires a recent proof of identity. */
  ProveAgain,
  ...moneyRefusals,
] as const

/** An offer: points, money in yuan, or both; and its length in days. */
export const offerFields = {
  bountyPoints: amountField('points').optional(),
  bountyCash: amountField('cny').optional(),
  bountyDays: z.int().min(0).max(365).optional(),
}

type Amount = { bountyPoints?: bigint | undefined; bountyCash?: bigint | undefined }

/** A form with the fields of a new offer. Refuses days without an amount. */
export function withBounty<Form extends z.ZodObject>(form: Form): Form {
  const hasAmount = ({ bountyPoints, bountyCash }: Amount) => bountyPoints !== undefined || bountyCash !== undefined
  return refuseUnused(form, { bountyDays: hasAmount })
}

/** The part of the bounty for one answer. */
export const SplitPart = z.object({
  commentId: id,
  bountyPoints: amountField('points').optional(),
  bountyCash: amountField('cny').optional(),
})
export const maxParts = 4

/** As typed: whole points, and yuan with two decimals. Null without an amount, or on a site without balances. */
const Amounts = { points: z.string().nullable(), cash: z.string().nullable() }

/** An offer, in a list. */
export const OfferView = z.object(Amounts)
export type OfferView = z.infer<typeof OfferView>

export const BountyView = z.object({
  state: z.enum(['open', 'paid']),
  ...Amounts,
  endsAt: z.iso.datetime(),
  /** The payouts, once the bounty is paid. */
  shares: z.array(z.object({ commentId: z.string(), member: AuthorView.nullable(), ...Amounts })),
})
export type BountyView = z.infer<typeof BountyView>

const Limits = z.object({ least: z.string(), most: z.string(), have: z.string() })
export type LimitsView = z.infer<typeof Limits>

export const bountyForm = read('/bounty/form', {
  summary: 'Limits on amount and duration of a bounty, with the member’s points and balance. Null if the member may offer none.',
  input: nothing,
  output: z.object({
    points: Limits.nullable(),
    cash: Limits.nullable(),
    days: z.object({ standard: z.number(), least: z.number(), most: z.number() }),
    /** The percentage of the money that the forum keeps. */
    share: z.number(),
  }),
})

export const raiseBounty = write('/bounty/raise', {
  summary: 'Raises the bounty of one of the member’s questions, or extends its deadline by a number of days.',
  input: z.object({ questionId: id, ...offerFields }),
  output: nothing,
  errors: [Banned, OnlyAsker, NotOpen, ...offerRefusals],
})

export const bountyForStaff = read('/admin/bounty', {
  summary: 'The bounty of a question, its state and its payouts. Null if there never was one.',
  input: z.object({ topicId: id }),
  output: z.object({
    bounty: BountyView.extend({
      state: z.enum(bountyStates),
      endsAt: z.iso.datetime().nullable(),
      /** A request to change the bounty, or to pay another answer, waits for approval. */
      isWaiting,
    }).nullable(),
  }),
})

export const changeBounty = write('/admin/bounty/change', {
  summary:
    'Changes an open bounty; the difference returns to the asker, or all of it without an amount. Above the limits it waits for approval.',
  input: z.object({
    topicId: id,
    bountyPoints: offerFields.bountyPoints,
    bountyCash: offerFields.bountyCash,
    reason: plainString.max(500),
  }),
  output: z.object({ isWaiting }),
  errors: [NotOpen, ReasonNeeded, RequestWaits, ...staffMoneyRefusals],
})
