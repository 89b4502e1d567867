import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const seconds = z.int().min(0).max(3600)

/** Private messages. */
export const settings = {
  allowMessages: { group: 'open', schema: z.boolean(), default: true },
  /** Minimum time between two messages of a member, and of a new member. 0: none. */
  secondsBetweenMessages: { group: 'posting', schema: seconds, default: 2 },
  /** Messages of one member within a minute, after which a captcha is required. 0: always. */
  messageCaptchaAfter: { group: 'posting', schema: z.int().min(0).max(100), default: 20 },
  newMemberSecondsBetweenMessages: { group: 'newMembers', schema: seconds, default: 10 },
} as const satisfies SettingDeclarations
