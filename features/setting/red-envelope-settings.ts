import { z } from 'zod'

const amount = z.int().min(0).max(99_999_999)

/** Limits of red envelopes, and the conditions to open one. */
export const redEnvelopeSettings = {
  allowRedEnvelopes: { schema: z.boolean(), standard: true },
  /** Minimum and maximum of the whole envelope. A maximum of 0 turns envelopes off. */
  envelopeLeastPoints: { schema: amount.min(1), standard: 1 },
  envelopeMostPoints: { schema: amount, standard: 10_000 },
  envelopeLeastCents: { schema: amount.min(1), standard: 1 },
  envelopeMostCents: { schema: amount, standard: 20_000 },
  envelopeMostShares: { schema: z.int().min(1).max(100_000), standard: 999 },
  /** Envelopes per member and day of the site, and per new member. */
  envelopesADay: { schema: z.int().min(0).max(1_000), standard: 20 },
  envelopesADayOfNewMembers: { schema: z.int().min(0).max(1_000), standard: 2 },
  /** Hours until an envelope expires. */
  envelopeHours: { schema: z.int().min(1).max(720), standard: 24 },
  /** Minimum membership in hours to open an envelope. */
  envelopeMemberHours: { schema: z.int().min(0).max(8_760), standard: 0 },
  /** Whether a public envelope requires a captcha. */
  envelopeCaptcha: { schema: z.boolean(), standard: false },
  /** Whether givers may open a share of their own envelope. */
  envelopeOwn: { schema: z.boolean(), standard: false },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
