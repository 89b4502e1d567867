import { z } from 'zod'

const amount = z.int().min(0).max(99_999_999)

/** Limits of red envelopes, and the conditions to open one. */
export const redEnvelopeSettings = {
  allowRedEnvelopes: { takes: z.boolean(), standard: true },
  /** Minimum and maximum of the whole envelope. A maximum of 0 turns envelopes off. */
  envelopeLeastPoints: { takes: amount.min(1), standard: 1 },
  envelopeMostPoints: { takes: amount, standard: 10_000 },
  envelopeLeastCents: { takes: amount.min(1), standard: 1 },
  envelopeMostCents: { takes: amount, standard: 20_000 },
  envelopeMostShares: { takes: z.int().min(1).max(100_000), standard: 999 },
  /** Envelopes per member and day of the site, and per new member. */
  envelopesADay: { takes: z.int().min(0).max(1_000), standard: 20 },
  envelopesADayOfNewMembers: { takes: z.int().min(0).max(1_000), standard: 2 },
  /** Hours until an envelope expires. */
  envelopeHours: { takes: z.int().min(1).max(720), standard: 24 },
  /** Minimum membership in hours to open an envelope. */
  envelopeMemberHours: { takes: z.int().min(0).max(8_760), standard: 0 },
  /** Whether a public envelope requires a captcha. */
  envelopeCaptcha: { takes: z.boolean(), standard: false },
  /** Whether givers may open a share of their own envelope. */
  envelopeOwn: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
