import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Deleted accounts. */
export const settings = {
  /** Whether the names of deleted accounts are released. */
  releaseDeletedNames: { group: 'accounts', schema: z.boolean(), default: false },
} as const satisfies SettingDeclarations
