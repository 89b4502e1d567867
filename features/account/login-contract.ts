import { z } from 'zod'
import { AccountDisabled, ComeFromAdministration, TokenPair } from '#account/contract.ts'
import { write } from '#base/contract.ts'
import { appCode, CodeWrong, TicketExpired, TooManyTries } from '#second-factor/contract.ts'

export const loginStep2 = write('/account/login/step2', {
  does: 'Begins the session that waits for a code of the app, or a recovery code. May trust this browser for thirty days, which is then asked for none.',
  takes: z.object({ ticket: z.string().min(1).max(64), code: appCode, trusts: z.boolean().default(false) }),
  gives: TokenPair,
  refuses: [TicketExpired, CodeWrong, TooManyTries, AccountDisabled, ComeFromAdministration],
  answeredWhile: 'readOnly',
})
