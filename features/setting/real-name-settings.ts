import { z } from 'zod'

const cents = z.int().min(0).max(99_999_999)

/** Who must be known to post, who checks names, and what minors may spend. What of it is secret lies among the sealed settings. */
export const realNameSettings = {
  /** Whom the site lets post: anybody; those with a bound phone or a checked identity; those with a checked identity alone. */
  realNameForPosting: { takes: z.enum(['nobody', 'phone', 'identity']), standard: 'nobody' },
  identityChecker: { takes: z.enum(['none', 'aliyun', 'webhook', 'standIn']), standard: 'none' },
  identityKeyId: { takes: z.string().regex(/^[\w-]{0,100}$/), standard: '' },
  identityWebhookUrl: { takes: z.string().regex(/^(https?:\/\/[^\s@]{1,400})?$/), standard: '' },
  /** How many accounts one person may have checked. */
  accountsPerPerson: { takes: z.int().min(1).max(20), standard: 1 },
  /** What those from 8 to 15, and those of 16 and 17, may spend and give at once and within a day. Who is younger spends nothing. */
  childOnceCents: { takes: cents, standard: 5_000 },
  childDayCents: { takes: cents, standard: 20_000 },
  youthOnceCents: { takes: cents, standard: 10_000 },
  youthDayCents: { takes: cents, standard: 40_000 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
