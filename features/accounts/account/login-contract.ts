import { z } from 'zod'
import { AccountDisabled, ComeFromAdministration, TokenPair } from '#account/contract.ts'
import { page, read, write } from '#base/contract.ts'
import { passkeyAnswer, PasskeyRequest } from '#second-factor/passkey-contract.ts'
import { appCode, CodeWrong, PasskeyWrong, TicketExpired, TooManyTries } from '#second-factor/contract.ts'

export const loginStep2 = write('/account/login/step2', {
  summary:
    'Begins the session that waits for a code of the app, a recovery code or a passkey. May trust this browser for thirty days, which is then asked for none.',
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
  summary:
    'What a passkey is to sign: any of this site to log in with, or, with a ticket, one of the account that waits for its second step.',
  input: z.object({ ticket: z.string().min(1).max(64).optional() }),
  output: PasskeyRequest,
  errors: [TicketExpired],
  availableWhile: 'readOnly',
})

export const loginByPasskey = write('/account/loginByPasskey', {
  summary: 'Begins a session by a passkey alone, of the account that it belongs to.',
  input: z.object({ passkey: passkeyAnswer }),
  output: TokenPair,
  errors: [PasskeyWrong, AccountDisabled, ComeFromAdministration],
  availableWhile: 'readOnly',
})

export const loginKinds = ['login', 'renewal', 'reused'] as const

export const loginLog = read('/user/control/userLoginLogList', {
  summary:
    'When and from where I logged in or renewed my session, or a token of one was used a second time, which ended it: all of it, or one kind.',
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
