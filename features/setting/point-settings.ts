import { z } from 'zod'

const rewardPoints = z.int().min(0).max(10_000)
const pointsPerDay = z.int().min(0).max(100_000)
const bountyAmount = z.int().min(0).max(99_999_999)
const bountyDays = z.int().min(1).max(365)

/** Points and balance. */
export const pointSettings = {
  /** Whether members have a balance in money beside points. Off: it is hidden everywhere. */
  allowCash: { schema: z.boolean(), standard: false },
  /** Points for a published post, and the daily limit per member. 0: no limit. */
  topicPoints: { schema: rewardPoints, standard: 10 },
  topicPointsPerDay: { schema: pointsPerDay, standard: 100 },
  commentPoints: { schema: rewardPoints, standard: 5 },
  commentPointsPerDay: { schema: pointsPerDay, standard: 100 },
  replyPoints: { schema: rewardPoints, standard: 5 },
  replyPointsPerDay: { schema: pointsPerDay, standard: 100 },
  questionPoints: { schema: rewardPoints, standard: 10 },
  questionPointsPerDay: { schema: pointsPerDay, standard: 100 },
  answerPoints: { schema: rewardPoints, standard: 5 },
  answerPointsPerDay: { schema: pointsPerDay, standard: 100 },
  answerReplyPoints: { schema: rewardPoints, standard: 5 },
  answerReplyPointsPerDay: { schema: pointsPerDay, standard: 100 },
  adoptedPoints: { schema: rewardPoints, standard: 10 },
  adoptedPointsPerDay: { schema: pointsPerDay, standard: 100 },
  /** Points for each like of a post, with the daily limit, and the daily limit by likes of one member. */
  likedPoints: { schema: rewardPoints, standard: 0 },
  likedPointsPerDay: { schema: pointsPerDay, standard: 50 },
  likedPointsPerDayFromOneMember: { schema: pointsPerDay, standard: 5 },
  /** The limit of all points of a day. */
  pointsPerDay: { schema: pointsPerDay, standard: 300 },
  /** The largest adjustment of a member's points per day by one member of staff without a second approval. 0: none. */
  approvalThresholdPoints: { schema: z.int().min(0).max(1_000_000), standard: 1000 },
  approvalThresholdYuan: { schema: z.int().min(0).max(1_000_000), standard: 100 },
  /** The same limit per calendar day, over all members and all kinds: adjustments, reversals, refunds, bounties. */
  dailyApprovalThresholdPoints: { schema: z.int().min(0).max(10_000_000), standard: 10_000 },
  dailyApprovalThresholdYuan: { schema: z.int().min(0).max(10_000_000), standard: 1000 },
  /** Minimum and maximum of a bounty. A maximum of 0 turns bounties off. */
  minBountyPoints: { schema: bountyAmount.min(1), standard: 10 },
  maxBountyPoints: { schema: bountyAmount, standard: 10_000 },
  minBountyCents: { schema: bountyAmount.min(1), standard: 100 },
  maxBountyCents: { schema: bountyAmount, standard: 100_000 },
  /** Days until a bounty expires. */
  bountyDays: { schema: bountyDays, standard: 7 },
  minBountyDays: { schema: bountyDays, standard: 1 },
  maxBountyDays: { schema: bountyDays, standard: 30 },
  /** The forum's share of a paid balance, in percent. */
  bountyShareCash: { schema: z.int().min(0).max(100), standard: 0 },
  /** At the end of a bounty without an accepted answer. */
  bountyHalfToBestLiked: { schema: z.boolean(), standard: false },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
