import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Limits of invitations. */
export const settings = {
  /** Invitations per member within thirty days. */
  invitationsPerMonth: {
    group: 'accounts',
    schema: z.int().min(0).max(1000),
    default: 3,
    aliases: 'invite limit invitation 邀请数量 邀请名额',
  },
} as const satisfies SettingDeclarations
