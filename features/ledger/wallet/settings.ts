import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const rewardPoints = z.int().min(0).max(10_000)
const pointsPerDay = z.int().min(0).max(100_000)

/** Points and balance. */
export const settings = {
  /** Whether members have a balance in money beside points. Off: it is hidden everywhere. */
  allowCash: { group: 'points', schema: z.boolean(), default: false, guarded: true, aliases: 'money wallet payment 钱包 现金 支付' },
  /** Points for a published post, and the daily limit per member. 0: no limit. */
  topicPoints: { group: 'points', schema: rewardPoints, default: 10 },
  topicPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  commentPoints: { group: 'points', schema: rewardPoints, default: 5 },
  commentPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  replyPoints: { group: 'points', schema: rewardPoints, default: 5 },
  replyPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  questionPoints: { group: 'points', schema: rewardPoints, default: 10 },
  questionPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  answerPoints: { group: 'points', schema: rewardPoints, default: 5 },
  answerPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  answerReplyPoints: { group: 'points', schema: rewardPoints, default: 5 },
  answerReplyPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  adoptedPoints: { group: 'points', schema: rewardPoints, default: 10 },
  adoptedPointsPerDay: { group: 'points', schema: pointsPerDay, default: 100 },
  /** Points for each like of a post, with the daily limit, and the daily limit by likes of one member. */
  likedPoints: { group: 'points', schema: rewardPoints, default: 0 },
  likedPointsPerDay: { group: 'points', schema: pointsPerDay, default: 50 },
  likedPointsPerDayFromOneMember: { group: 'points', schema: pointsPerDay, default: 5 },
  /** The limit of all points of a day. */
  pointsPerDay: { group: 'points', schema: pointsPerDay, default: 300 },
  /** The largest adjustment of a member's points per day by one member of staff without a second approval. 0: none. */
  approvalThresholdPoints: {
    group: 'points',
    schema: z.int().min(0).max(1_000_000),
    default: 1000,
    guarded: true,
    aliases: 'approval second four eyes limit 审批 复核 双人 上限',
  },
  approvalThresholdYuan: {
    group: 'points',
    schema: z.int().min(0).max(1_000_000),
    default: 100,
    guarded: true,
    shownWith: 'allowCash',
    aliases: 'approval second four eyes limit 审批 复核 双人 上限',
  },
  /** The same limit per calendar day, over all members and all kinds: adjustments, reversals, refunds, bounties. */
  dailyApprovalThresholdPoints: {
    group: 'points',
    schema: z.int().min(0).max(10_000_000),
    default: 10_000,
    guarded: true,
    aliases: 'approval second four eyes limit daily 审批 复核 双人 上限 每日',
  },
  dailyApprovalThresholdYuan: {
    group: 'points',
    schema: z.int().min(0).max(10_000_000),
    default: 1000,
    guarded: true,
    shownWith: 'allowCash',
    aliases: 'approval second four eyes limit daily 审批 复核 双人 上限 每日',
  },
} as const satisfies SettingDeclarations
