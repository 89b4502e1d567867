import { z } from 'zod'
import { passkeyAnswer } from '#second-factor/passkey-contract.ts'
import { nothing, read, refusal, TooManyHashes, write } from '#base/contract.ts'
import { codeField, existingSecret } from '#base/secret-input.ts'

/** The browser asks in a dialog, and repeats the request. */
export const ProveAgain = refusal('secondFactor.proveAgain', { status: 428 })
export const PasswordWrong = refusal('secondFactor.passwordWrong', { field: 'password' })
export const TooManyTries = refusal('secondFactor.tooManyTries', { status: 429 })
export const CodeWrong = refusal('secondFactor.codeWrong', { field: 'code' })
/** The ticket has expired, was tried too often, or was issued to another browser. */
export const TicketExpired = refusal('secondFactor.ticketExpired')
/** The signature does not fit, or its challenge is another member's or too old. */
export const PasskeyWrong = refusal('secondFactor.passkeyWrong')
export const PasskeyKnown = refusal('secondFactor.passkeyKnown')
/** The member has no factor to re-authenticate with, except a new login. */
export const LogInAgain = refusal('secondFactor.logInAgain')

/** The factors for re-authentication. */
export const proofMethods = ['password', 'code', 'passkey'] as const
export type ProofMethod = (typeof proofMethods)[number]

/** Six digits of the authenticator app, or a recovery code. */
export const appCode = codeField.min(1).max(40)

/** The secret to set up an app with: typed by hand, or read from a QR code of the address. */
export const AppSetup = z.object({ secret: z.string(), address: z.string() })
export const RecoveryCodesView = z.object({ recoveryCodes: z.array(z.string()) })

/** The step that is due after the password: one of these methods, with the ticket, in this browser and within ten minutes. */
export const SecondStep = z.object({ ticket: z.string(), ways: z.array(z.enum(['code', 'passkey'])) })

export const proofForm = read('/user/control/proofForm', {
  summary: 'Methods by which the member can re-authenticate. Empty if only a new sign-in is possible.',
  input: nothing,
  output: z.object({ ways: z.array(z.enum(proofMethods)) }),
})

export const prove = write('/user/control/prove', {
  summary: 'Re-authenticates this session for ten minutes: by a passkey, a second-factor code if it is on, or else the password.',
  input: z.object({ password: existingSecret.optional(), code: appCode.optional(), passkey: passkeyAnswer.optional() }),
  output: nothing,
  errors: [PasswordWrong, CodeWrong, PasskeyWrong, TooManyTries, LogInAgain, TooManyHashes],
  availableWhile: 'readOnly',
})
