import { z } from 'zod'

const amount = z.int().min(0).max(99_999_999)

/** Limits of red envelopes, and the conditions to open one. */
export const redEnvelopeSettings = {
  allowRedEnvelopes: { schema: z.boolean(), standard: true },
  /** Minimum and maximum of the whole envelope. A maximum of 0 turns envelopes off. */
  minEnvelopePoints: { schema: amount.min(1), standard: 1 },
  maxEnvelopePoints: { schema: amount, standard: 10_000 },
  minEnvelopeCents: { schema: amount.min(1), standard: 1 },
  maxEnvelopeCents: { schema: amount, standard: 20_000 },
  maxEnvelopeShares: { schema: z.int().min(1).max(100_000), standard: 999 },
  /** Envelopes per member and day of the site, and per new member. */
  envelopesPerDay: { schema: z.int().min(0).max(1_000), standard: 20 },
  envelopesPerDayOfNewMembers: { schema: z.int().min(0).max(1_000), standard: 2 },
  /** Hours until an envelope expires. */
  envelopeHours: { schema: z.int().min(1).max(720), standard: 24 },
  /** Minimum membership in hours to open an envelope. */
  envelopeMemberHours: { schema: z.int().min(0).max(8_760), standard: 0 },
  /** Whether a public envelope requires a captcha. */
  envelopeCaptcha: { schema: z.boolean(), standard: false },
  /** Whether givers may open a share of their own envelope. */
  envelopeOwn: { schema: z.boolean(), standard: false },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
