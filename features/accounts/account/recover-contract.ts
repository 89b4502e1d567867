import { z } from 'zod'
import {
  AccountDisabled,
  passwordsMatch,
  ComeFromAdministration,
  hint,
  loginMethods,
  newPassword,
  NoAccountThere,
  PasswordCommon,
  passwordsDiffer,
  RecoveryExpired,
  TakeBackExpired,
  TooManyHints,
  typedAddress,
  WrongHint,
} from '#account/contract.ts'
import { nothing, read, TooManyHashes, write } from '#base/contract.ts'
import { accountField, existingSecret } from '#base/secret-input.ts'
import { captchaFields, CaptchaNeeded, CaptchaWrong } from '#captcha/contract.ts'
import { addressRefusals, code, CodeWrong, CountryView, kinds, sendingRefusals } from '#contact/contract.ts'
import { TooManySent } from '#delivery/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'

export const recoverForm = read('/findPassWord/step1', {
  summary:
    'By what somebody who forgot the password can show whose account it is, of which countries numbers are taken, and where staff can be reached.',
  input: nothing,
  output: z.object({
    ways: z.array(z.enum(loginMethods)),
    countries: z.array(CountryView),
    staff: z.enum(['feedback', 'about']).nullable(),
  }),
})

export const sendRecoveryCode = write('/findPassWord/code', {
  summary: 'Sends a code to set a new password with to a phone number or an e-mail address, whoever has it. Asks for a captcha.',
  input: z.object({ ...typedAddress, ...captchaFields }),
  output: nothing,
  errors: sendingRefusals,
  availableWhile: 'readOnly',
})

export const recoverStep1 = write('/findPassWord/step1', {
  summary:
    'Takes the code, and gives a ticket for one new password of the account that is bound there: in this browser, for a quarter of an hour.',
  input: z.object({ ...typedAddress, code }),
  output: z.object({ ticket: z.string() }),
  errors: [CodeWrong, NoAccountThere, AccountDisabled, ComeFromAdministration, ...addressRefusals],
  availableWhile: 'readOnly',
})

const ofAccount = accountField.min(1).max(90)

export const hintOfAccount = write('/findPassWord/question', {
  summary: 'The hint question of an account; one that is made up where there is none. Asks for a captcha. Where staff allow it.',
  input: z.object({ account: ofAccount, ...captchaFields }),
  output: z.object({ question: z.string() }),
  errors: [FunctionClosed, CaptchaNeeded, CaptchaWrong],
  availableWhile: 'readOnly',
})

export const recoverByHint = write('/findPassWord/answer', {
  summary:
    'Takes the answer to the hint question, and gives a ticket as a code does. Five tries a day for each account. Asks for a captcha.',
  input: z.object({ account: ofAccount, hintAnswer: existingSecret, ...captchaFields }),
  output: z.object({ ticket: z.string() }),
  errors: [FunctionClosed, WrongHint, TooManyHints, AccountDisabled, ComeFromAdministration, CaptchaNeeded, CaptchaWrong, TooManyHashes],
  availableWhile: 'readOnly',
})

export const myHint = read('/user/control/hintQuestion', {
  summary: 'My hint question, and whether this site asks for it.',
  input: nothing,
  output: z.object({ question: z.string().nullable(), isAsked: z.boolean() }),
})

export const setMyHint = write('/user/control/hintQuestion', {
  summary: 'Sets my hint question with its answer. I must have shown lately that it is me.',
  input: z.object({ hintQuestion: hint, hintAnswer: hint }),
  output: nothing,
  errors: [ProveAgain, TooManySent, TooManyHashes],
})

export const recoverStep2 = write('/findPassWord/step2', {
  summary: 'Sets a new password by the ticket, ends every session, and tells the owner.',
  input: z.object({ ticket: z.string().min(1).max(64), ...newPassword }).refine(passwordsMatch, passwordsDiffer),
  output: nothing,
  errors: [RecoveryExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManySent, TooManyHashes],
  availableWhile: 'readOnly',
})

export const RemovedView = z.object({
  what: z.enum([...kinds, 'identity', 'passkey', 'secondFactor', 'recoveryCodes', 'hint']),
  name: z.string(),
})
export type RemovedView = z.infer<typeof RemovedView>

export const takeBack = write('/takeBack', {
  summary:
    'Gives an account back to whoever has the link from a mail that told of a change: sets a password, ends every session, and undoes what was changed since, or shortly before.',
  input: z.object({ link: z.string().min(1).max(64), ...newPassword }).refine(passwordsMatch, passwordsDiffer),
  output: z.object({
    account: z.string(),
    /** Kinds of addresses that could not be restored, because another account has them now. */
    missing: z.array(z.enum(kinds)),
    /** Login methods added or changed lately, which were removed: addresses masked, others by name. */
    removed: z.array(RemovedView),
  }),
  errors: [TakeBackExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManyHashes],
  availableWhile: 'readOnly',
})
