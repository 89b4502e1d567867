import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The hot ranking. */
export const settings = {
  /** Weights of the hot score: comments, likes, views, and its decay. */
  heatPerComment: { group: 'lists', schema: z.number().min(0).max(9999), default: 20 },
  heatPerLike: { group: 'lists', schema: z.number().min(0).max(9999), default: 10 },
  heatPerView: { group: 'lists', schema: z.number().min(0).max(9999), default: 1 },
  heatGravity: { group: 'lists', schema: z.number().min(0.1).max(2), default: 1.8, aliases: 'ranking score trending 排序 热帖 算法' },
  /** The minimum number of other members in a hot topic, and the minimum age in the hot score. */
  minHeatPeople: { group: 'lists', schema: z.int().min(0).max(20), default: 3 },
  minHeatHours: { group: 'lists', schema: z.number().min(0).max(48), default: 6 },
} as const satisfies SettingDeclarations
