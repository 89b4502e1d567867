import { z } from 'zod'
import { normalizeDomain } from '#base/email-address.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** The phone numbers and e-mail addresses that accounts may bind. */
export const settings = {
  /** Accounts per phone number. A login by number opens the account that bound it first. */
  accountsPerPhone: { group: 'accounts', schema: z.int().min(1).max(20), default: 1 },
  /** Allowed domains of e-mail addresses, such as example.org. Empty: all. */
  emailDomains: {
    group: 'accounts',
    schema: z.array(z.string().refine((text) => normalizeDomain(text) !== null, { params: { code: 'validation.pattern' } })).max(300),
    default: [] as string[],
  },
} as const satisfies SettingDeclarations
