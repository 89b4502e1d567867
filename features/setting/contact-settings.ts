import { z } from 'zod'
import { normalizeDomain } from '#base/email-address.ts'

const loginMethods = z
  .array(z.enum(['account', 'phone', 'email']))
  .min(1)
  .max(3)

export const registrationModes = ['open', 'invitation', 'approval'] as const

/** Contact channels for registration, login and the administration, and the phone numbers and e-mail addresses that accounts may bind. */
export const contactSettings = {
  /** Registration: open, by invitation code, or with approval by staff. */
  registrationMode: { schema: z.enum(registrationModes), standard: 'open' },
  /** Invitations per member within thirty days. */
  invitationsPerMonth: { schema: z.int().min(0).max(1000), standard: 3 },
  /** Methods to register. */
  allowRegisterAccountType: { schema: loginMethods, standard: ['account'] },
  /** Methods to log in. Members who lose their only method cannot log in, so staff should add one before they remove one. */
  allowLoginAccountType: {
    schema: loginMethods,
    standard: ['account'],
  },
  /** Whether staff must have a second factor before any action. */
  staffSecondFactor: { schema: z.boolean(), standard: false },
  /** The same for administrators alone, on a site that other machines can reach. */
  administratorSecondFactor: { schema: z.boolean(), standard: true },
  /** Whether the hint question of an account resets the password. It is weaker than a code. */
  recoverByHint: { schema: z.boolean(), standard: false },
  /** Accounts per phone number. A login by number opens the account that bound it first. */
  accountsPerPhone: { schema: z.int().min(1).max(20), standard: 1 },
  /**
   * Codes per number or e-mail address and day, over all requesters; per hour half of them. Each browser of the owner has the same limit of
   * its own.
   */
  verificationCodesPerDay: { schema: z.int().min(1).max(100), standard: 10 },
  /** Codes per network and day; per hour a third of them. */
  verificationCodesPerNetworkPerDay: { schema: z.int().min(1).max(100_000), standard: 60 },
  /** Failed logins of an account within an hour, after which only remembered browsers may try; four times as many within a day. */
  failedLoginsPerHour: { schema: z.int().min(5).max(1_000), standard: 50 },
  /** The same per network, over all accounts. */
  failedLoginsPerNetworkPerHour: { schema: z.int().min(5).max(100_000), standard: 200 },
  /** Allowed domains of e-mail addresses, such as example.org. Empty: all. */
  emailDomains: {
    schema: z.array(z.string().refine((text) => normalizeDomain(text) !== null, { params: { code: 'validation.pattern' } })).max(300),
    standard: [] as string[],
  },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
