import { z } from 'zod'
import {
  AccountDisabled,
  ComeFromAdministration,
  hint,
  loginMethods,
  newPassword,
  NoAccountThere,
  PasswordCommon,
  RecoveryExpired,
  TakeBackExpired,
  TooManyHints,
  typedAddress,
  WrongHint,
} from '#account/contract.ts'
import { nothing, read, TooManyHashes, write } from '#base/contract.ts'
import { accountField, existingSecret, passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { captchaFields, CaptchaNeeded, CaptchaWrong } from '#captcha/contract.ts'
import { addressRefusals, code, CodeWrong, CountryView, kinds, sendingRefusals } from '#contact/contract.ts'
import { TooManySent } from '#delivery/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'

export const recoverForm = read('/findPassWord/step1', {
  summary: 'Available methods to recover an account, calling codes of supported countries, and the way to contact staff.',
  input: nothing,
  output: z.object({
    ways: z.array(z.enum(loginMethods)),
    countries: z.array(CountryView),
    staff: z.enum(['feedback', 'about']).nullable(),
  }),
})

export const sendRecoveryCode = write('/findPassWord/code', {
  summary: 'Sends a recovery code to a phone number or an e-mail address, whether or not it is bound. Requires a captcha.',
  input: z.object({ ...typedAddress, ...captchaFields }),
  output: nothing,
  errors: sendingRefusals,
  availableWhile: 'readOnly',
})

export const recoverStep1 = write('/findPassWord/step1', {
  summary: 'Exchanges a recovery code for a ticket to reset the password of the bound account, valid in this browser for 15 minutes.',
  input: z.object({ ...typedAddress, code }),
  output: z.object({ ticket: z.string() }),
  errors: [CodeWrong, NoAccountThere, AccountDisabled, ComeFromAdministration, ...addressRefusals],
  availableWhile: 'readOnly',
})

const ofAccount = accountField.min(1).max(90)

export const hintOfAccount = write('/findPassWord/question', {
  summary: 'Returns the hint question of an account, invented if there is none. Requires a captcha and the site’s permission.',
  input: z.object({ account: ofAccount, ...captchaFields }),
  output: z.object({ question: z.string() }),
  errors: [FunctionClosed, CaptchaNeeded, CaptchaWrong],
  availableWhile: 'readOnly',
})

export const recoverByHint = write('/findPassWord/answer', {
  summary: 'Exchanges the answer to the hint question for a reset ticket; five attempts a day for each account. Requires a captcha.',
  input: z.object({ account: ofAccount, hintAnswer: existingSecret, ...captchaFields }),
  output: z.object({ ticket: z.string() }),
  errors: [FunctionClosed, WrongHint, TooManyHints, AccountDisabled, ComeFromAdministration, CaptchaNeeded, CaptchaWrong, TooManyHashes],
  availableWhile: 'readOnly',
})

export const myHint = read('/user/control/hintQuestion', {
  summary: 'The member’s hint question, and whether this site uses it.',
  input: nothing,
  output: z.object({ question: z.string().nullable(), isAsked: z.boolean() }),
})

export const setMyHint = write('/user/control/hintQuestion', {
  summary: 'Sets the member’s hint question and answer. Requires recent re-authentication.',
  input: z.object({ hintQuestion: hint, hintAnswer: hint }),
  output: nothing,
  errors: [ProveAgain, TooManySent, TooManyHashes],
})

export const recoverStep2 = write('/findPassWord/step2', {
  summary: 'Resets the password with a ticket, ends all sessions and tokens, and notifies the owner.',
  input: z.object({ ticket: z.string().min(1).max(64), ...newPassword }).refine(passwordsMatch, passwordsDiffer),
  output: nothing,
  errors: [RecoveryExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManySent, TooManyHashes],
  availableWhile: 'readOnly',
})

export const RemovedView = z.object({
  what: z.enum([...kinds, 'identity', 'passkey', 'secondFactor', 'recoveryCodes', 'programToken', 'hint']),
  name: z.string(),
})
export type RemovedView = z.infer<typeof RemovedView>

export const takeBack = write('/takeBack', {
  summary: 'Recovers an account by the link in a security alert: sets a password, ends all sessions and tokens, and undoes recent changes.',
  input: z.object({ link: z.string().min(1).max(64), ...newPassword }).refine(passwordsMatch, passwordsDiffer),
  output: z.object({
    account: z.string(),
    /** Kinds of addresses that could not be restored, because another account has them now. */
    missing: z.array(z.enum(kinds)),
    /** Login methods added or changed lately, which were removed, and all tokens of programs: addresses masked, others by name. */
    removed: z.array(RemovedView),
  }),
  errors: [TakeBackExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManyHashes],
  availableWhile: 'readOnly',
})
