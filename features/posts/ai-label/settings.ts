import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The label for AI-generated content. */
export const settings = {
  /** The AI label of posts: off; authors may declare it; the form asks them to. */
  aiLabels: { group: 'posting', schema: z.enum(['off', 'declare', 'ask']), default: 'declare' },
} as const satisfies SettingDeclarations
