import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Limits of hidden parts, their price, and the forum’s share. */
export const settings = {
  /** Hidden parts per topic, and the limits of their price. */
  hiddenPartsPerTopic: { group: 'posting', schema: z.int().min(0).max(20), default: 10 },
  maxHiddenPoints: { group: 'posting', schema: z.int().min(1).max(99_999_999), default: 10_000 },
  maxHiddenCents: { group: 'posting', schema: z.int().min(1).max(99_999_999), default: 100_000, shownWith: 'allowCash' },
  /** The forum's share of the price, in percent. */
  hiddenSharePoints: { group: 'posting', schema: z.int().min(0).max(100), default: 0 },
  hiddenShareCash: { group: 'posting', schema: z.int().min(0).max(100), default: 0, shownWith: 'allowCash' },
  /** When an author removes parts that were sold: buyers keep access, or are refunded. */
  hiddenPartsRemoved: { group: 'posting', schema: z.enum(['keep', 'refund']), default: 'keep' },
} as const satisfies SettingDeclarations
