import { z } from 'zod'
import { nothing, read, refusal, TooManyHashes, write } from '#base/contract.ts'

/** The browser asks in a dialog, and sends the call again. */
export const ProveAgain = refusal('secondFactor.proveAgain', { status: 428 })
export const PasswordWrong = refusal('secondFactor.passwordWrong', { field: 'password' })
export const TooManyTries = refusal('secondFactor.tooManyTries', { status: 429 })
/** There is nothing they could show but a new login. */
export const LogInAgain = refusal('secondFactor.logInAgain')

/** By what somebody can show that it is them. */
export const proofWays = ['password'] as const
export type ProofWay = (typeof proofWays)[number]

export const proofForm = read('/user/control/proofForm', {
  does: 'By what I can show again that it is me. Nothing where only a new login will do.',
  takes: nothing,
  gives: z.object({ ways: z.array(z.enum(proofWays)) }),
})

export const prove = write('/user/control/prove', {
  does: 'Shows again that it is me: for ten minutes this session may do what asks for it.',
  takes: z.object({ password: z.string().min(1).max(256) }),
  gives: nothing,
  refuses: [PasswordWrong, TooManyTries, LogInAgain, TooManyHashes],
  answeredWhile: 'readOnly',
})
