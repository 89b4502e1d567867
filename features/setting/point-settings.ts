import { z } from 'zod'

const rewardPoints = z.int().min(0).max(10_000)
const pointsADay = z.int().min(0).max(100_000)
const bountyAmount = z.int().min(0).max(99_999_999)
const bountyDays = z.int().min(1).max(365)

/** What concerns points and balance. */
export const pointSettings = {
  /** Whether there is a balance in money beside points. Off, nothing of it is to be seen. */
  allowCash: { takes: z.boolean(), standard: false },
  /** How many points a post earns when it comes onto the page, and how many a member earns by such posts in a day at most. 0: no limit. */
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
  /** For each like of a post; at most in a day, and of that by the likes of one and the same member. */
  likedPoints: { takes: rewardPoints, standard: 0 },
  likedPointsADay: { takes: pointsADay, standard: 50 },
  likedPointsADayFromOne: { takes: pointsADay, standard: 5 },
  /** The same of all of it. */
  pointsADay: { takes: pointsADay, standard: 300 },
  /** How much one member of staff may add to a member, or take, within a day, without another who agrees. 0: nothing. */
  pointsAlone: { takes: z.int().min(0).max(1_000_000), standard: 1000 },
  yuanAlone: { takes: z.int().min(0).max(1_000_000), standard: 100 },
  /** The same limit for a calendar day, over all members and all kinds: adjustments, reversals, refunds, bounties. */
  dailyApprovalThresholdPoints: { takes: z.int().min(0).max(10_000_000), standard: 10_000 },
  dailyApprovalThresholdYuan: { takes: z.int().min(0).max(10_000_000), standard: 1000 },
  /** How much a bounty may be. The most at 0: none may be offered. */
  bountyLeastPoints: { takes: bountyAmount.min(1), standard: 10 },
  bountyMostPoints: { takes: bountyAmount, standard: 10_000 },
  bountyLeastCents: { takes: bountyAmount.min(1), standard: 100 },
  bountyMostCents: { takes: bountyAmount, standard: 100_000 },
  /** For how many days it is open. */
  bountyDays: { takes: bountyDays, standard: 7 },
  bountyShortestDays: { takes: bountyDays, standard: 1 },
  bountyLongestDays: { takes: bountyDays, standard: 30 },
  /** What of the balance that is paid goes to the forum, in percent. */
  bountyShareCash: { takes: z.int().min(0).max(100), standard: 0 },
  /** At the end of a bounty where no answer was accepted. */
  bountyHalfToBestLiked: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
