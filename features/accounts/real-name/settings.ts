import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const cents = z.int().min(0).max(99_999_999)

/** Verification required to post, the identity provider, and spending limits of minors. */
export const settings = {
  /** Verification required to post: none; a bound phone or a verified identity; a verified identity. */
  realNameForPosting: {
    group: 'realName',
    schema: z.enum(['nobody', 'phone', 'identity']),
    default: 'nobody',
    guarded: true,
    channels: ['sms'],
  },
  realNameProvider: { group: 'realName', schema: z.enum(['none', 'aliyun', 'webhook', 'standIn']), default: 'none', guarded: true },
  realNameKeyId: { group: 'realName', schema: z.string().regex(/^[\w-]{0,100}$/), default: '' },
  /** Of the identity provider. */
  realNameSecret: { group: 'realName', schema: z.string().max(200), default: '', sealed: true },
  realNameWebhookUrl: { group: 'realName', schema: z.string().regex(/^(https?:\/\/[^\s@]{1,400})?$/), default: '', guarded: true },
  /** Verified accounts per person. */
  accountsPerPerson: { group: 'realName', schema: z.int().min(1).max(20), default: 1 },
  /** Spending limits of minors, per payment and per day: from 8 to 15, and from 16 to 17. Younger members cannot spend. */
  maxChildCentsPerPayment: { group: 'realName', schema: cents, default: 5_000 },
  maxChildCentsPerDay: { group: 'realName', schema: cents, default: 20_000 },
  maxYouthCentsPerPayment: { group: 'realName', schema: cents, default: 10_000 },
  maxYouthCentsPerDay: { group: 'realName', schema: cents, default: 40_000 },
} as const satisfies SettingDeclarations
