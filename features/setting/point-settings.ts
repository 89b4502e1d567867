import { z } from 'zod'

const rewardPoints = z.int().min(0).max(10_000)
const pointsADay = z.int().min(0).max(100_000)
const bountyAmount = z.int().min(0).max(99_999_999)
const bountyDays = z.int().min(1).max(365)

/** Points and balance. */
export const pointSettings = {
  /** Whether members have a balance in money beside points. Off: it is hidden everywhere. */
  allowCash: { takes: z.boolean(), standard: false },
  /** Points for a published post, and the daily limit per member. 0: no limit. */
  topicPoints: { takes: rewardPoints, standard: 10 },
  topicPointsADay: { takes: pointsADay, standard: 100 },
  commentPoints: { takes: rewardPoints, standard: 5 },
  commentPointsADay: { takes: pointsADay, standard: 100 },
  replyPoints: { takes: rewardPoints, standard: 5 },
  replyPointsADay: { takes: pointsADay, standard: 100 },
  questionPoints: { takes: rewardPoints, standard: 10 },
  questionPointsADay: { takes: pointsADay, standard: 100 },
  answerPoints: { takes: rewardPoints, standard: 5 },
  answerPointsADay: { takes: pointsADay, standard: 100 },
  answerReplyPoints: { takes: rewardPoints, standard: 5 },
  answerReplyPointsADay: { takes: pointsADay, standard: 100 },
  adoptedPoints: { takes: rewardPoints, standard: 10 },
  adoptedPointsADay: { takes: pointsADay, standard: 100 },
  /** Points for each like of a post, with the daily limit, and the daily limit by likes of one member. */
  likedPoints: { takes: rewardPoints, standard: 0 },
  likedPointsADay: { takes: pointsADay, standard: 50 },
  likedPointsADayFromOne: { takes: pointsADay, standard: 5 },
  /** The limit of all points of a day. */
  pointsADay: { takes: pointsADay, standard: 300 },
  /** The largest adjustment of a member's points per day by one member of staff without a second approval. 0: none. */
  pointsAlone: { takes: z.int().min(0).max(1_000_000), standard: 1000 },
  yuanAlone: { takes: z.int().min(0).max(1_000_000), standard: 100 },
  /** The same limit per calendar day, over all members and all kinds: adjustments, reversals, refunds, bounties. */
  dailyApprovalThresholdPoints: { takes: z.int().min(0).max(10_000_000), standard: 10_000 },
  dailyApprovalThresholdYuan: { takes: z.int().min(0).max(10_000_000), standard: 1000 },
  /** Minimum and maximum of a bounty. A maximum of 0 turns bounties off. */
  bountyLeastPoints: { takes: bountyAmount.min(1), standard: 10 },
  bountyMostPoints: { takes: bountyAmount, standard: 10_000 },
  bountyLeastCents: { takes: bountyAmount.min(1), standard: 100 },
  bountyMostCents: { takes: bountyAmount, standard: 100_000 },
  /** Days until a bounty expires. */
  bountyDays: { takes: bountyDays, standard: 7 },
  bountyShortestDays: { takes: bountyDays, standard: 1 },
  bountyLongestDays: { takes: bountyDays, standard: 30 },
  /** The forum's share of a paid balance, in percent. */
  bountyShareCash: { takes: z.int().min(0).max(100), standard: 0 },
  /** At the end of a bounty without an accepted answer. */
  bountyHalfToBestLiked: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
