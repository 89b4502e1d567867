import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const bountyAmount = z.int().min(0).max(99_999_999)
const bountyDays = z.int().min(1).max(365)

/** Limits of bounties. */
export const settings = {
  /** Minimum and maximum of a bounty. A maximum of 0 turns bounties off. */
  minBountyPoints: { group: 'points', schema: bountyAmount.min(1), default: 10, notAbove: 'maxBountyPoints' },
  maxBountyPoints: { group: 'points', schema: bountyAmount, default: 10_000, aliases: 'reward award 悬赏 奖励' },
  minBountyCents: { group: 'points', schema: bountyAmount.min(1), default: 100, shownWith: 'allowCash', notAbove: 'maxBountyCents' },
  maxBountyCents: { group: 'points', schema: bountyAmount, default: 100_000, shownWith: 'allowCash', aliases: 'reward award 悬赏 奖励' },
  /** Days until a bounty expires. */
  bountyDays: { group: 'points', schema: bountyDays, default: 7, aliases: 'deadline 到期 期限' },
  minBountyDays: { group: 'points', schema: bountyDays, default: 1, notAbove: 'maxBountyDays' },
  maxBountyDays: { group: 'points', schema: bountyDays, default: 30 },
  /** The forum's share of a paid balance, in percent. */
  bountyShareCash: { group: 'points', schema: z.int().min(0).max(100), default: 0, shownWith: 'allowCash' },
  /** At the end of a bounty without an accepted answer. */
  bountyHalfToBestLiked: { group: 'points', schema: z.boolean(), default: false },
} as const satisfies SettingDeclarations
