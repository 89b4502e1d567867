import { z } from 'zod'
import { AccountDisabled, ComeFromAdministration, TokenPair } from '#account/contract.ts'
import { page, read, write } from '#base/contract.ts'
import { passkeyAnswer, PasskeyRequest } from '#second-factor/passkey-contract.ts'
import { appCode, CodeWrong, PasskeyWrong, TicketExpired, TooManyTries } from '#second-factor/contract.ts'

export const loginStep2 = write('/account/login/step2', {
  summary: 'Completes a sign-in with an authenticator code, a recovery code or a passkey; may trust this browser for 30 days.',
  input: z.object({
    ticket: z.string().min(1).max(64),
    code: appCode.optional(),
    passkey: passkeyAnswer.optional(),
    trusts: z.boolean().default(false),
  }),
  output: TokenPair,
  errors: [TicketExpired, CodeWrong, PasskeyWrong, TooManyTries, AccountDisabled, ComeFromAdministration],
  availableWhile: 'readOnly',
})

export const askPasskeyLogin = write('/account/login/passkey', {
  summary: 'Creates a passkey challenge: for a sign-in with any passkey or, with a ticket, for the second step of an account.',
  input: z.object({ ticket: z.string().min(1).max(64).optional() }),
  output: PasskeyRequest,
  errors: [TicketExpired],
  availableWhile: 'readOnly',
})

export const loginByPasskey = write('/account/loginByPasskey', {
  summary: 'Starts a session for the owner of a passkey, without a second step.',
  input: z.object({ passkey: passkeyAnswer }),
  output: TokenPair,
  errors: [PasskeyWrong, AccountDisabled, ComeFromAdministration],
  availableWhile: 'readOnly',
})

export const loginKinds = ['login', 'renewal', 'reused'] as const

export const loginLog = read('/user/control/userLoginLogList', {
  summary: 'Sign-in log of the member: sign-ins, session renewals, and sessions ended by token reuse; all or of one kind.',
  input: z.object({ page: page.default(1), kind: z.enum(loginKinds).optional() }),
  output: z.object({
    total: z.number(),
    page: z.number(),
    pages: z.number(),
    entries: z.array(
      z.object({
        id: z.string(),
        at: z.iso.datetime(),
        kind: z.enum(loginKinds),
        ip: z.string(),
        region: z.string().nullable(),
        /** The browser's user agent. */
        device: z.string(),
      }),
    ),
  }),
})
