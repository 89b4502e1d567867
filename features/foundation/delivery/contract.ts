import { z } from 'zod'
import { normalizeEmail } from '#base/email-address.ts'
import { nothing, read, refusal, write } from '#base/contract.ts'

/** An address that nothing can be sent to. */
export const WrongEmail = refusal('delivery.wrongEmail', { field: 'email' })
export const WrongNumber = refusal('delivery.wrongNumber', { field: 'phone' })
export const CountryNotServed = refusal('delivery.countryNotServed', { field: 'phone' })
/** No provider is configured. */
export const NoEmails = refusal('delivery.noEmails', { field: 'email' })
export const NoTexts = refusal('delivery.noTexts', { field: 'phone' })
/** The daily quota is used up; nothing more is sent until staff raise it or the day has passed. */
export const TooManySent = refusal('delivery.tooManySent', { status: 503 })

/** A text whose placeholders cannot be filled in. */
export const TextUnreadable = refusal('delivery.textUnreadable', { field: 'text' })
export const UnknownValue = refusal('delivery.unknownValue', { field: 'text' })
export const ValueMissing = refusal('delivery.valueMissing', { field: 'text' })

export const channels = ['email', 'sms'] as const
export type Channel = (typeof channels)[number]

/** Counted separately, so that requests for many codes do not stop security alerts, and notifications and tests do not stop codes. */
export const uses = ['codes', 'safety', 'notifications', 'tests'] as const
export type Use = (typeof uses)[number]

/** `unsent` had no provider, or was kept in an outbox. */
export const states = ['waiting', 'sent', 'unsent', 'refused', 'failed', 'dropped'] as const

export const templateNames = [
  'code',
  'numberChanged',
  'emailChanged',
  'passwordChanged',
  'dataReady',
  'leavingBegun',
  'leavingSoon',
  'leavingDone',
  'secondFactorOn',
  'secondFactorOff',
  'recoveryCodesRenewed',
  'passkeyAdded',
  'passkeyRemoved',
  'programTokenMade',
  'identityLinked',
  'accountsMerged',
  'staffChanged',
  'newLogin',
  'passwordTried',
  'sessionReused',
  'numberBound',
  'emailBound',
  'hintChanged',
  'takeBack',
  'takenBack',
  'joiningApproved',
  'joiningRefused',
  'notifications',
  'test',
] as const
export type Template = (typeof templateNames)[number]

/** The canonical form: an address as `emailIn` spells it; digits with the calling code, without spaces. */
export const emailAddress = z
  .string()
  .overwrite((text) => normalizeEmail(text) ?? text)
  .refine((text) => normalizeEmail(text) !== null, { params: { code: 'delivery.wrongEmail' } })
export const phoneNumber = z.string().refine((text) => /^\+[1-9]\d{6,14}$/.test(text), { params: { code: 'delivery.wrongNumber' } })

export const deliveryBoard = read('/admin/delivery/board', {
  summary: 'Daily delivery counts of the last two weeks, and the used part of the daily quotas.',
  input: nothing,
  output: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        channel: z.enum(channels),
        sent: z.number(),
        unsent: z.number(),
        refused: z.number(),
        failed: z.number(),
        waiting: z.number(),
        /** Tests, sent or not, which the other counts exclude. */
        tests: z.number(),
      }),
    ),
    ceilings: z.array(
      z.object({
        channel: z.enum(channels),
        country: z.string().nullable(),
        use: z.enum(uses),
        used: z.number(),
        most: z.number(),
      }),
    ),
    /** The channels without a provider. */
    unsent: z.array(z.enum(channels)),
    /** The messages in the outbox, where one is chosen. Only shown on the machine itself. */
    outbox: z.array(z.object({ to: z.string(), subject: z.string().nullable(), text: z.string(), at: z.iso.datetime() })).nullable(),
  }),
})

export const testEmail = write('/admin/delivery/testEmail', {
  summary: 'Sends a test e-mail to a given address, with the current settings.',
  input: z.object({ email: emailAddress }),
  output: nothing,
  errors: [WrongEmail, NoEmails, TooManySent],
})

export const testText = write('/admin/delivery/testText', {
  summary: 'Sends a test text message with an invalid code to a given number, with the current settings.',
  input: z.object({ phone: phoneNumber }),
  output: nothing,
  errors: [WrongNumber, NoTexts, CountryNotServed, TooManySent],
})
