import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The switch, captcha and pictures of reports. */
export const settings = {
  allowReports: { group: 'open', schema: z.boolean(), default: true },
  /** Pictures per report. 0: none. */
  picturesPerReport: { group: 'reports', schema: z.int().min(0).max(9), default: 3 },
  /** Reports of one member within a minute, after which a captcha is required. 0: always. */
  reportCaptchaAfter: { group: 'reports', schema: z.int().min(0).max(100), default: 5 },
} as const satisfies SettingDeclarations
