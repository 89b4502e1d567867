import { z } from 'zod'

const amount = z.int().min(0).max(99_999_999)

/** How much may be given as a red envelope, and by whom it is opened. */
export const redEnvelopeSettings = {
  allowRedEnvelopes: { takes: z.boolean(), standard: true },
  /** Of all of one. The most at 0: none may be given. */
  envelopeLeastPoints: { takes: amount.min(1), standard: 1 },
  envelopeMostPoints: { takes: amount, standard: 10_000 },
  envelopeLeastCents: { takes: amount.min(1), standard: 1 },
  envelopeMostCents: { takes: amount, standard: 20_000 },
  envelopeMostShares: { takes: z.int().min(1).max(100_000), standard: 999 },
  /** How many a member may give in a day of the site; and how many in their first days here. */
  envelopesADay: { takes: z.int().min(0).max(1_000), standard: 20 },
  envelopesADayOfNewMembers: { takes: z.int().min(0).max(1_000), standard: 2 },
  /** For how many hours it is open. */
  envelopeHours: { takes: z.int().min(1).max(720), standard: 24 },
  /** How many hours one must have been a member to open one. */
  envelopeMemberHours: { takes: z.int().min(0).max(8_760), standard: 0 },
  /** A captcha before opening one that is for everybody. */
  envelopeCaptcha: { takes: z.boolean(), standard: false },
  /** Whether a giver may open a share of their own. */
  envelopeOwn: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
