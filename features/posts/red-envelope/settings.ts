import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const amount = z.int().min(0).max(99_999_999)

/** Limits of red envelopes, and the conditions to open one. */
export const settings = {
  allowRedEnvelopes: { group: 'redEnvelopes', schema: z.boolean(), default: true },
  /** Minimum and maximum of the whole envelope. A maximum of 0 turns envelopes off. */
  minEnvelopePoints: { group: 'redEnvelopes', schema: amount.min(1), default: 1 },
  maxEnvelopePoints: { group: 'redEnvelopes', schema: amount, default: 10_000 },
  minEnvelopeCents: { group: 'redEnvelopes', schema: amount.min(1), default: 1 },
  maxEnvelopeCents: { group: 'redEnvelopes', schema: amount, default: 20_000 },
  maxEnvelopeShares: { group: 'redEnvelopes', schema: z.int().min(1).max(100_000), default: 999 },
  /** Envelopes per member and day of the site, and per new member. */
  envelopesPerDay: { group: 'redEnvelopes', schema: z.int().min(0).max(1_000), default: 20 },
  envelopesPerDayOfNewMembers: { group: 'redEnvelopes', schema: z.int().min(0).max(1_000), default: 2 },
  /** Hours until an envelope expires. */
  envelopeHours: { group: 'redEnvelopes', schema: z.int().min(1).max(720), default: 24 },
  /** Minimum membership in hours to open an envelope. */
  envelopeMemberHours: { group: 'redEnvelopes', schema: z.int().min(0).max(8_760), default: 0 },
  /** Whether a public envelope requires a captcha. */
  envelopeCaptcha: { group: 'redEnvelopes', schema: z.boolean(), default: false },
  /** Whether givers may open a share of their own envelope. */
  envelopeOwn: { group: 'redEnvelopes', schema: z.boolean(), default: false },
} as const satisfies SettingDeclarations
