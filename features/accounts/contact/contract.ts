import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { codeField } from '#base/secret-input.ts'
import { captchaFields, CaptchaNeeded, CaptchaWrong } from '#captcha/contract.ts'
import { CountryNotServed, NoEmails, NoTexts, TooManySent, WrongEmail, WrongNumber } from '#delivery/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'

export const kinds = ['phone', 'email'] as const
export type Kind = (typeof kinds)[number]

export const CodeWrong = refusal('contact.codeWrong', { field: 'code' })
export const CodeTooSoon = refusal('contact.codeTooSoon', { field: 'again' })
/** Only a caller who proved by a code that the address is theirs gets this answer. */
export const AddressTaken = refusal('contact.taken', { field: 'code' })
export const DomainNotAllowed = refusal('contact.domainNotAllowed', { field: 'email' })
export const BoundAlready = refusal('contact.boundAlready')
export const NotBound = refusal('contact.notBound')
export const ProveFirst = refusal('contact.proveFirst')

export const code = codeField.min(1).refine((text) => /^\d{6}$/.test(text), { params: { code: 'contact.sixDigits' } })

/** As typed; the country is that of numbers without a country code of their own. */
export const phoneFields = {
  phone: z.string().trim().min(1).max(40),
  countryCode: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .optional(),
}
export const emailFields = { email: z.string().trim().min(1).max(320) }
export const addressRefusals = [WrongNumber, WrongEmail, CountryNotServed, DomainNotAllowed]
export const sendingRefusals = [NoEmails, NoTexts, ...addressRefusals, CaptchaNeeded, CaptchaWrong, CodeTooSoon, TooManySent]

/** A country by its calling code. The region is null where several share it. */
export const CountryView = z.object({ code: z.string(), region: z.string().nullable() })

const Binding = z.object({
  /** The bound address, masked. */
  bound: z.string().nullable(),
  boundAt: z.iso.datetime().nullable(),
  /** Whether this session has proved ownership, and may give another address. */
  isProved: z.boolean(),
  /** Whether a code can be sent, without which nothing is bound or changed. */
  canSend: z.boolean(),
  /** The countries whose numbers can be bound. */
  countries: z.array(CountryView),
})

/** Binds the first address, proves the old one, or binds another in its place. */
const codeTarget = z.enum(['bind', 'old', 'new'])
const bindRefusals = [CodeWrong, AddressTaken, BoundAlready, TooManySent, ProveAgain, ...addressRefusals]
const stepOne = z.object({ code: code.optional() })
const stepOneRefusals = [CodeWrong, ProveAgain, NotBound]
const stepTwoRefusals = [CodeWrong, AddressTaken, TooManySent, NotBound, ProveFirst, ...addressRefusals]

export const phoneBinding = read('/user/control/phoneBinding', {
  summary: 'The phone number bound to the member’s account, masked.',
  input: nothing,
  output: Binding,
})

export const getSmsCode = write('/user/control/getSmsCode', {
  summary: 'Sends a code by text message: to bind a number, to prove the bound one, or to replace it. Requires a captcha.',
  input: z.object({ about: codeTarget, ...phoneFields, phone: phoneFields.phone.optional(), ...captchaFields }),
  output: nothing,
  errors: [BoundAlready, NotBound, ProveFirst, ...sendingRefusals],
  allowedWhilePending: true,
})

export const bindPhone = write('/user/control/phoneBinding', {
  summary: 'Binds the first phone number to the member’s account, by a code sent there. Requires recent re-authentication.',
  input: z.object({ ...phoneFields, code }),
  output: nothing,
  errors: bindRefusals,
  allowedWhilePending: true,
})

export const updatePhoneStep1 = write('/user/control/updatePhoneBinding/step1', {
  summary:
    'Proves ownership by a code to the bound number or by recent re-authentication; allows this session to replace it for 15 minutes.',
  input: stepOne,
  output: nothing,
  errors: stepOneRefusals,
  allowedWhilePending: true,
})

export const updatePhoneStep2 = write('/user/control/updatePhoneBinding/step2', {
  summary: 'Replaces the bound phone number, by a code sent to the new one. The old number is notified.',
  input: z.object({ ...phoneFields, code }),
  output: nothing,
  errors: stepTwoRefusals,
  allowedWhilePending: true,
})

export const emailBinding = read('/user/control/emailBinding', {
  summary: 'The e-mail address bound to the member’s account, masked.',
  input: nothing,
  output: Binding,
})

export const getEmailCode = write('/user/control/getEmailCode', {
  summary: 'Sends a code by e-mail: to bind an address, to prove the bound one, or to replace it. Requires a captcha.',
  input: z.object({ about: codeTarget, email: emailFields.email.optional(), ...captchaFields }),
  output: nothing,
  errors: [BoundAlready, NotBound, ProveFirst, ...sendingRefusals],
  allowedWhilePending: true,
})

export const bindEmail = write('/user/control/emailBinding', {
  summary: 'Binds the first e-mail address to the member’s account, by a code sent there. Requires recent re-authentication.',
  input: z.object({ ...emailFields, code }),
  output: nothing,
  errors: bindRefusals,
  allowedWhilePending: true,
})

export const updateEmailStep1 = write('/user/control/updateEmailBinding/step1', {
  summary:
    'Proves ownership by a code to the bound address or by recent re-authentication; allows this session to replace it for 15 minutes.',
  input: stepOne,
  output: nothing,
  errors: stepOneRefusals,
  allowedWhilePending: true,
})

export const updateEmailStep2 = write('/user/control/updateEmailBinding/step2', {
  summary: 'Replaces the bound e-mail address, by a code sent to the new one. The old address is notified.',
  input: z.object({ ...emailFields, code }),
  output: nothing,
  errors: stepTwoRefusals,
  allowedWhilePending: true,
})

/** The endpoints of each kind, which are alike. */
export const bindingCalls = {
  phone: { look: phoneBinding, sendCode: getSmsCode, bind: bindPhone, stepOne: updatePhoneStep1, stepTwo: updatePhoneStep2 },
  email: { look: emailBinding, sendCode: getEmailCode, bind: bindEmail, stepOne: updateEmailStep1, stepTwo: updateEmailStep2 },
}
