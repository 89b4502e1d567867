import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

export const settings = {
  /** Programs read with the access of the member whose token they use, and write drafts. */
  allowMcp: { group: 'assistant', schema: z.boolean(), default: false },
} as const satisfies SettingDeclarations
