import { z } from 'zod'
import { domainIn } from '#base/email-address.ts'

const ways = z
  .array(z.enum(['account', 'phone', 'email']))
  .min(1)
  .max(3)

export const registrationModes = ['open', 'invitation', 'approval'] as const

/** By what one registers, logs in and signs in to the administration, and what phone numbers and e-mail addresses accounts may be bound to. */
export const contactSettings = {
  /** Whether whoever registers is in, comes with a code, or waits until staff let them in. */
  registrationMode: { takes: z.enum(registrationModes), standard: 'open' },
  /** How many invitations a member who may invite makes within thirty days. */
  invitationsAMonth: { takes: z.int().min(0).max(1000), standard: 3 },
  /** By what one registers. */
  allowRegisterAccountType: { takes: ways, standard: ['account'] },
  /** By what one logs in. Members who lose their only way are not let in, so that staff tick more before they take one away. */
  allowLoginAccountType: {
    takes: ways,
    standard: ['account'],
  },
  /** Whether staff can do nothing before they have a second factor. */
  staffSecondFactor: { takes: z.boolean(), standard: false },
  /** The same for administrators alone, on a site that other machines reach. */
  administratorSecondFactor: { takes: z.boolean(), standard: true },
  /** Whether the hint question of an account, with its answer, sets a new password. It is weaker than a code. */
  recoverByHint: { takes: z.boolean(), standard: false },
  /** How many accounts one number may have. Who logs in by it comes into the one that bound it first. */
  accountsPerPhone: { takes: z.int().min(1).max(20), standard: 1 },
  /** How many codes one number or e-mail address is sent within a day, whoever asks; within an hour half of them. Browsers of its owner have as many of their own. */
  codesADay: { takes: z.int().min(1).max(100), standard: 10 },
  /** How many codes one network may ask for within a day; within an hour a third of them. */
  codesADayOfNetwork: { takes: z.int().min(1).max(100_000), standard: 60 },
  /** Failed logins of one account within an hour, after which only browsers that logged in before are let try; four times as many within a day. */
  failedLoginsAnHour: { takes: z.int().min(5).max(1_000), standard: 50 },
  /** The same of one network, over all accounts. */
  failedLoginsAnHourOfNetwork: { takes: z.int().min(5).max(100_000), standard: 200 },
  /** The ends of e-mail addresses that are taken, as example.org. Empty: all. */
  emailDomains: {
    takes: z.array(z.string().refine((text) => domainIn(text) !== null, { params: { code: 'validation.pattern' } })).max(300),
    standard: [] as string[],
  },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
