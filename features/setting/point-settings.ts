import { z } from 'zod'

const rewardPoints = z.int().min(0).max(10_000)
const pointsADay = z.int().min(0).max(100_000)
const bountyAmount = z.int().min(0).max(99_999_999)
const bountyDays = z.int().min(1).max(365)

/** Points and balance. */
export const pointSettings = {
  /** Whether members have a balance in money beside points. Off: it is hidden everywhere. */
  allowCash: { schema: z.boolean(), standard: false },
  /** Points for a published post, and the daily limit per member. 0: no limit. */
  topicPoints: { schema: rewardPoints, standard: 10 },
  topicPointsADay: { schema: pointsADay, standard: 100 },
  commentPoints: { schema: rewardPoints, standard: 5 },
  commentPointsADay: { schema: pointsADay, standard: 100 },
  replyPoints: { schema: rewardPoints, standard: 5 },
  replyPointsADay: { schema: pointsADay, standard: 100 },
  questionPoints: { schema: rewardPoints, standard: 10 },
  questionPointsADay: { schema: pointsADay, standard: 100 },
  answerPoints: { schema: rewardPoints, standard: 5 },
  answerPointsADay: { schema: pointsADay, standard: 100 },
  answerReplyPoints: { schema: rewardPoints, standard: 5 },
  answerReplyPointsADay: { schema: pointsADay, standard: 100 },
  adoptedPoints: { schema: rewardPoints, standard: 10 },
  adoptedPointsADay: { schema: pointsADay, standard: 100 },
  /** Points for each like of a post, with the daily limit, and the daily limit by likes of one member. */
  likedPoints: { schema: rewardPoints, standard: 0 },
  likedPointsADay: { schema: pointsADay, standard: 50 },
  likedPointsADayFromOne: { schema: pointsADay, standard: 5 },
  /** The limit of all points of a day. */
  pointsADay: { schema: pointsADay, standard: 300 },
  /** The largest adjustment of a member's points per day by one member of staff without a second approval. 0: none. */
  pointsAlone: { schema: z.int().min(0).max(1_000_000), standard: 1000 },
  yuanAlone: { schema: z.int().min(0).max(1_000_000), standard: 100 },
  /** The same limit per calendar day, over all members and all kinds: adjustments, reversals, refunds, bounties. */
  dailyApprovalThresholdPoints: { schema: z.int().min(0).max(10_000_000), standard: 10_000 },
  dailyApprovalThresholdYuan: { schema: z.int().min(0).max(10_000_000), standard: 1000 },
  /** Minimum and maximum of a bounty. A maximum of 0 turns bounties off. */
  bountyLeastPoints: { schema: bountyAmount.min(1), standard: 10 },
  bountyMostPoints: { schema: bountyAmount, standard: 10_000 },
  bountyLeastCents: { schema: bountyAmount.min(1), standard: 100 },
  bountyMostCents: { schema: bountyAmount, standard: 100_000 },
  /** Days until a bounty expires. */
  bountyDays: { schema: bountyDays, standard: 7 },
  bountyShortestDays: { schema: bountyDays, standard: 1 },
  bountyLongestDays: { schema: bountyDays, standard: 30 },
  /** The forum's share of a paid balance, in percent. */
  bountyShareCash: { schema: z.int().min(0).max(100), standard: 0 },
  /** At the end of a bounty without an accepted answer. */
  bountyHalfToBestLiked: { schema: z.boolean(), standard: false },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
