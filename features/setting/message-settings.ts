import { z } from 'zod'

const seconds = z.int().min(0).max(3600)

/** Private messages. */
export const messageSettings = {
  allowMessages: { takes: z.boolean(), standard: true },
  /** Messages of one member within a minute, after which a captcha is required. 0: always. */
  messageCaptchaAfter: { takes: z.int().min(0).max(100), standard: 20 },
  /** Minimum time between two messages of a member, and of a new member. 0: none. */
  secondsBetweenMessages: { takes: seconds, standard: 2 },
  newMemberSecondsBetweenMessages: { takes: seconds, standard: 10 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
