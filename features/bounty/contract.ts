import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plain } from '#base/plain-text.ts'
import { Banned } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { amountField, moneyRefusals, RequestWaits, staffMoneyRefusals } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'
import { ReasonNeeded } from '#writing/contract.ts'

export const bountyStates = ['waiting', 'open', 'paid', 'returned'] as const

/** What lists of questions ask for. */
export const bountyFilters = ['any', 'points', 'cash'] as const
export type BountyFilter = (typeof bountyFilters)[number]

export type BountyState = (typeof bountyStates)[number]

/** Less or more than the site allows; one that stands is never lowered. */
export const PointsOutside = refusal('bounty.pointsOutside', { field: 'bountyPoints' })
export const CashOutside = refusal('bounty.cashOutside', { field: 'bountyCash' })
export const DaysOutside = refusal('bounty.daysOutside', { field: 'bountyDays' })
export const PointsShort = refusal('bounty.pointsShort', { field: 'bountyPoints' })
export const CashShort = refusal('bounty.cashShort', { field: 'bountyCash' })
/** An asker who owes is told the sum. */
export const PointsOwed = refusal('bounty.pointsOwed', { field: 'bountyPoints' })
export const CashOwed = refusal('bounty.cashOwed', { field: 'bountyCash' })
export const CashAboveMinorLimit = refusal('bounty.cashAboveMinorLimit', { field: 'bountyCash' })
export const NoPointsHere = refusal('bounty.noPointsHere', { field: 'bountyPoints' })
export const NoCashHere = refusal('bounty.noCashHere', { field: 'bountyCash' })
/** It was paid or returned, or never was. */
export const NotOpen = refusal('bounty.notOpen', { status: 409 })
/** Its deadline has passed, so that it is paid to nobody. */
export const BountyOver = refusal('bounty.over', { status: 409 })
export const OnlyAsker = refusal('bounty.onlyAsker', { status: 403 })
/** Others would get more than there is, or somebody nothing. */
export const SplitWrong = refusal('bounty.splitWrong', { field: 'split' })
/** What was paid is moved by staff alone. */
export const PaidStays = refusal('bounty.paidStays')
/** The asker owes what was taken back, so that there is nothing to pay again. */
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
  /** Money is offered by those who showed a moment ago that it is them. */
  ProveAgain,
  ...moneyRefusals,
] as const

/** What an asker offers: points, money in yuan, or both; and for how many days. */
export const offered = {
  bountyPoints: amountField('points').optional(),
  bountyCash: amountField('cny').optional(),
  bountyDays: z.int().min(0).max(365).optional(),
}

/** An answer that gets a part of it. */
export const Part = z.object({ commentId: id, bountyPoints: amountField('points').optional(), bountyCash: amountField('cny').optional() })
export const mostParts = 4

/** As people type it: whole points, and yuan with two places. Null where there is none, or the site has no balance. */
const Amounts = { points: z.string().nullable(), cash: z.string().nullable() }

/** What is offered, in a list. */
export const OfferView = z.object(Amounts)
export type OfferView = z.infer<typeof OfferView>

export const BountyView = z.object({
  state: z.enum(['open', 'paid']),
  ...Amounts,
  endsAt: z.iso.datetime(),
  /** Who got what, after it was paid. */
  shares: z.array(z.object({ commentId: z.string(), member: AuthorView.nullable(), ...Amounts })),
})
export type BountyView = z.infer<typeof BountyView>

const Limits = z.object({ least: z.string(), most: z.string(), have: z.string() })
export type LimitsView = z.infer<typeof Limits>

export const bountyForm = read('/bounty/form', {
  summary: 'How much I may offer for an answer, for how long, and what I have. Null where nothing may be offered.',
  input: nothing,
  output: z.object({
    points: Limits.nullable(),
    cash: Limits.nullable(),
    days: z.object({ standard: z.number(), least: z.number(), most: z.number() }),
    /** What percent of the money the forum takes. */
    share: z.number(),
  }),
})

export const raiseBounty = write('/bounty/raise', {
  summary: 'Offers more than now for an answer to a question of mine, or offers it for so many days more.',
  input: z.object({ questionId: id, ...offered }),
  output: nothing,
  errors: [Banned, OnlyAsker, NotOpen, ...offerRefusals],
})

export const bountyForStaff = read('/admin/bounty', {
  summary: 'The bounty of a question as it stands, and who got what. Null where there never was one.',
  input: z.object({ topicId: id }),
  output: z.object({
    bounty: BountyView.extend({
      state: z.enum(bountyStates),
      endsAt: z.iso.datetime().nullable(),
      /** A request to change it, or to pay another answer, waits for approval. */
      isWaiting,
    }).nullable(),
  }),
})

export const changeBounty = write('/admin/bounty/change', {
  summary:
    'Sets what an open bounty is, to more or to less; what is not held any more goes back to the asker. Without an amount all of it does. Above the limits of the settings it waits for another member of staff.',
  input: z.object({ topicId: id, bountyPoints: offered.bountyPoints, bountyCash: offered.bountyCash, reason: plain.max(500) }),
  output: z.object({ isWaiting }),
  errors: [NotOpen, ReasonNeeded, RequestWaits, ...staffMoneyRefusals],
})
