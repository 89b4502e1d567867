import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The switch of likes. */
export const settings = {
  allowLikes: { group: 'open', schema: z.boolean(), default: true },
} as const satisfies SettingDeclarations
