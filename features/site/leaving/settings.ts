import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Deletion of accounts by their owners. */
export const settings = {
  /** Whether members may remove their posts when they delete their account. */
  allowPostRemovalOnDeletion: { group: 'accounts', schema: z.boolean(), default: true },
} as const satisfies SettingDeclarations
