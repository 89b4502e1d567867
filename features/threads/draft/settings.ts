import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Retention of drafts. */
export const settings = {
  draftDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 90 },
} as const satisfies SettingDeclarations
