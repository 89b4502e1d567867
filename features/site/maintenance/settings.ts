import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Backups, and retention of jobs. */
export const settings = {
  /** Days between scheduled backups, the hour of the site, and the number of backups kept. 0 days: none. */
  backupDays: { group: 'backups', schema: z.int().min(0).max(30), default: 1 },
  backupHour: { group: 'backups', schema: z.int().min(0).max(23), default: 3, aliases: 'schedule cron time 定时备份 时间' },
  backupsKept: { group: 'backups', schema: z.int().min(1).max(100), default: 5 },
  /** Retention of finished jobs. */
  jobDays: { group: 'logs', schema: z.int().min(1).max(90), default: 3 },
} as const satisfies SettingDeclarations
