import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The switch and captcha of feedback. */
export const settings = {
  allowFeedback: { group: 'open', schema: z.boolean(), default: true },
  feedbackCaptcha: { group: 'reports', schema: z.boolean(), default: true },
} as const satisfies SettingDeclarations
