import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** The search box. */
export const settings = {
  /** Suggestions of the search box. */
  hotSearchWords: {
    group: 'lists',
    schema: z.array(plainString.min(1).max(30)).max(20),
    default: [] as string[],
    aliases: 'trending 热搜',
  },
} as const satisfies SettingDeclarations
