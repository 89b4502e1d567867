import { z } from 'zod'

const seconds = z.int().min(0).max(3600)

/** Private messages. */
export const messageSettings = {
  allowMessages: { schema: z.boolean(), standard: true },
  /** Messages of one member within a minute, after which a captcha is required. 0: always. */
  messageCaptchaAfter: { schema: z.int().min(0).max(100), standard: 20 },
  /** Minimum time between two messages of a member, and of a new member. 0: none. */
  secondsBetweenMessages: { schema: seconds, standard: 2 },
  newMemberSecondsBetweenMessages: { schema: seconds, standard: 10 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
