import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Comments and replies under topics. */
export const settings = {
  allowComments: { group: 'open', schema: z.boolean(), default: true },
  allowReplies: { group: 'open', schema: z.boolean(), default: true },
  commentsPerPage: { group: 'lists', schema: z.int().min(5).max(100), default: 30, aliases: 'pagination page size 分页' },
} as const satisfies SettingDeclarations
