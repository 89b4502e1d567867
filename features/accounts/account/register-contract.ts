import { z } from 'zod'
import {
  accountName,
  AccountReserved,
  AccountTaken,
  newPassword,
  PasswordCommon,
  RegisterExpired,
  TokenPair,
  TooManyFromHere,
  typedAddress,
} from '#account/contract.ts'
import { nothing, TooManyHashes, write } from '#base/contract.ts'
import { passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { captchaFields } from '#captcha/contract.ts'
import { addressRefusals, AddressTaken, code, CodeWrong, sendingRefusals } from '#contact/contract.ts'
import { answerRefusals, answers } from '#field/contract.ts'
import { invitationField, invitationRefusals } from '#invitation/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { nickname, NicknameReserved, NicknameTaken } from '#user/contract.ts'

export const sendRegisterCode = write('/account/registerCode', {
  summary:
    'Sends a registration code to a phone number or an e-mail address, bound or not. Needs a captcha and, where required, an invitation.',
  input: z.object({ ...typedAddress, ...captchaFields, ...invitationField }),
  output: nothing,
  errors: [FunctionClosed, ...invitationRefusals, ...sendingRefusals],
})

export const proveAddress = write('/account/registerProof', {
  summary: 'Exchanges a registration code for a ticket for one account with that address, valid in this browser for 30 minutes.',
  input: z.object({ ...typedAddress, code }),
  output: z.object({ ticket: z.string() }),
  errors: [FunctionClosed, CodeWrong, AddressTaken, ...addressRefusals],
})

export const registerBy = write('/account/registerBy', {
  summary: 'Registers an account bound to the address of the ticket, and signs in. An omitted account name is generated.',
  input: z
    .object({
      ticket: z.string().min(1).max(64),
      account: accountName.optional(),
      ...newPassword,
      nickname: nickname.default(''),
      answers: answers.default({}),
      ...invitationField,
      agrees: z.boolean().refine((agrees) => agrees, { params: { code: 'account.mustAgree' } }),
    })
    .refine(passwordsMatch, passwordsDiffer),
  output: TokenPair,
  errors: [
    FunctionClosed,
    RegisterExpired,
    AddressTaken,
    AccountTaken,
    AccountReserved,
    NicknameTaken,
    NicknameReserved,
    PasswordCommon,
    TooManyFromHere,
    TooManyHashes,
    ...invitationRefusals,
    ...answerRefusals,
  ],
})
