import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Retention of what statistics are made of. */
export const settings = {
  /** Retention of page views, and of the addresses in them. */
  pageViewDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 400 },
  pageViewIpDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 180, aliases: 'retention privacy gdpr 网络安全法 日志留存' },
  searchWordDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 400 },
  answerTimeDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 400 },
} as const satisfies SettingDeclarations
