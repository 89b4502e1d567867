import { z } from 'zod'
import {
  AccountDisabled,
  areSame,
  ComeFromAdministration,
  newPassword,
  NoAccountThere,
  PasswordCommon,
  passwordsDiffer,
  RecoveryExpired,
  TakeBackExpired,
  typedAddress,
} from '#account/contract.ts'
import { nothing, read, TooManyHashes, write } from '#base/contract.ts'
import { captchaFields } from '#captcha/contract.ts'
import { addressRefusals, code, CodeWrong, CountryView, kinds, sendingRefusals } from '#contact/contract.ts'
import { TooManySent } from '#delivery/contract.ts'

export const recoverForm = read('/findPassWord/step1', {
  does: 'By what somebody who forgot the password can show whose account it is, and of which countries numbers are taken.',
  takes: nothing,
  gives: z.object({ ways: z.array(z.enum(kinds)), countries: z.array(CountryView) }),
})

export const sendRecoveryCode = write('/findPassWord/code', {
  does: 'Sends a code to set a new password with to a phone number or an e-mail address, whoever has it. Asks for a captcha.',
  takes: z.object({ ...typedAddress, ...captchaFields }),
  gives: nothing,
  refuses: sendingRefusals,
  answeredWhile: 'readOnly',
})

export const recoverStep1 = write('/findPassWord/step1', {
  does: 'Takes the code, and gives a ticket for one new password of the account that is bound there: in this browser, for a quarter of an hour.',
  takes: z.object({ ...typedAddress, code }),
  gives: z.object({ ticket: z.string() }),
  refuses: [CodeWrong, NoAccountThere, AccountDisabled, ComeFromAdministration, ...addressRefusals],
  answeredWhile: 'readOnly',
})

export const recoverStep2 = write('/findPassWord/step2', {
  does: 'Sets a new password by the ticket, ends every session, and tells the owner.',
  takes: z.object({ ticket: z.string().min(1).max(64), ...newPassword }).refine(areSame, passwordsDiffer),
  gives: nothing,
  refuses: [RecoveryExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManySent, TooManyHashes],
  answeredWhile: 'readOnly',
})

export const takeBack = write('/takeBack', {
  does: 'Gives an account back to whoever has the link from a mail that told of a change: sets a password, ends every session, and undoes what was bound since.',
  takes: z.object({ link: z.string().min(1).max(64), ...newPassword }).refine(areSame, passwordsDiffer),
  gives: z.object({
    account: z.string(),
    /** What could not be put back, because another account has it by now. */
    missing: z.array(z.enum(kinds)),
  }),
  refuses: [TakeBackExpired, PasswordCommon, AccountDisabled, ComeFromAdministration, TooManySent, TooManyHashes],
  answeredWhile: 'readOnly',
})
