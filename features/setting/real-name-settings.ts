import { z } from 'zod'

const cents = z.int().min(0).max(99_999_999)

/** Verification required to post, the identity provider, and spending limits of minors. Secrets are among the sealed settings. */
export const realNameSettings = {
  /** Verification required to post: none; a bound phone or a verified identity; a verified identity. */
  realNameForPosting: { schema: z.enum(['nobody', 'phone', 'identity']), standard: 'nobody' },
  realNameProvider: { schema: z.enum(['none', 'aliyun', 'webhook', 'standIn']), standard: 'none' },
  realNameKeyId: { schema: z.string().regex(/^[\w-]{0,100}$/), standard: '' },
  realNameWebhookUrl: { schema: z.string().regex(/^(https?:\/\/[^\s@]{1,400})?$/), standard: '' },
  /** Verified accounts per person. */
  accountsPerPerson: { schema: z.int().min(1).max(20), standard: 1 },
  /** Spending limits of minors, per payment and per day: from 8 to 15, and from 16 to 17. Younger members cannot spend. */
  maxChildCentsPerPayment: { schema: cents, standard: 5_000 },
  maxChildCentsPerDay: { schema: cents, standard: 20_000 },
  maxYouthCentsPerPayment: { schema: cents, standard: 10_000 },
  maxYouthCentsPerDay: { schema: cents, standard: 40_000 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
