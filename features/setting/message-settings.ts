import { z } from 'zod'

const seconds = z.int().min(0).max(3600)

/** What concerns private messages. */
export const messageSettings = {
  allowMessages: { takes: z.boolean(), standard: true },
  /** Messages of one member within a minute, after which a captcha is asked for. 0 asks always. */
  messageCaptchaAfter: { takes: z.int().min(0).max(100), standard: 20 },
  /** How long a member waits between two, and one who is new. 0: not at all. */
  secondsBetweenMessages: { takes: seconds, standard: 2 },
  newMemberSecondsBetweenMessages: { takes: seconds, standard: 10 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
