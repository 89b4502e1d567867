import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { TooManySent } from '#delivery/contract.ts'
import { LastWayIn } from '#identity/contract.ts'
import { passkeyRegistration, PasskeyCreation } from '#second-factor/passkey-contract.ts'
import {
  appCode,
  AppSetup,
  CodeWrong,
  PasskeyKnown,
  PasskeyWrong,
  ProveAgain,
  RecoveryCodesView,
  TooManyTries,
} from '#second-factor/contract.ts'

export const OnAlready = refusal('accountSecurity.onAlready')
export const NotBegun = refusal('accountSecurity.notBegun', { field: 'code' })
export const NotOn = refusal('accountSecurity.notOn')
export const TooManyPasskeys = refusal('accountSecurity.tooManyPasskeys')
/** Staff set it up in the administration. */
export const OfStaff = refusal('accountSecurity.ofStaff')

export const security = read('/user/control/security', {
  summary: 'How my account is kept safe: whether codes are asked for, by which passkeys I log in, and which devices are trusted.',
  input: nothing,
  output: z.object({
    /** Null while it is off. */
    onSince: z.iso.datetime().nullable(),
    codesLeft: z.number(),
    isStaff: z.boolean(),
    passkeys: z.array(z.object({ id: z.string(), name: z.string(), madeAt: z.iso.datetime(), usedAt: z.iso.datetime().nullable() })),
    devices: z.array(
      z.object({
        id: z.string(),
        ip: z.string(),
        region: z.string().nullable(),
        device: z.string(),
        trustedAt: z.iso.datetime(),
        usedAt: z.iso.datetime(),
        isThis: z.boolean(),
      }),
    ),
  }),
})

export const beginSecondFactor = write('/user/control/secondFactor/begin', {
  summary: 'A new secret for an authenticator app; it counts once a code of it was given.',
  input: nothing,
  output: AppSetup,
  errors: [OnAlready, OfStaff, ProveAgain],
})

export const confirmSecondFactor = write('/user/control/secondFactor/confirm', {
  summary:
    'Shows that the app works: from now on a login takes a code. Gives ten recovery codes, once, ends my other sessions where I want that, and tells the owner.',
  input: z.object({ code: appCode, endsOthers: z.boolean().default(true) }),
  output: RecoveryCodesView,
  errors: [NotBegun, CodeWrong, TooManyTries, ProveAgain, TooManySent],
})

export const renewRecoveryCodes = write('/user/control/secondFactor/codes', {
  summary: 'Gives ten new recovery codes, once; the old ones open nothing any more.',
  input: nothing,
  output: RecoveryCodesView,
  errors: [NotOn, ProveAgain],
})

export const removeSecondFactor = write('/user/control/secondFactor/remove', {
  summary: 'Asks for no codes any more, and trusts no device.',
  input: nothing,
  output: nothing,
  errors: [NotOn, ProveAgain],
})

export const endTrustedDevice = write('/user/control/trustedDevice/end', {
  summary: 'Asks one of my devices for a code again.',
  input: z.object({ deviceId: id }),
  output: nothing,
  availableWhile: 'readOnly',
})

const name = plainString.min(1).max(50)

export const beginPasskey = write('/user/control/passkey/begin', {
  summary: 'What a device of mine is to make a passkey of.',
  input: nothing,
  output: PasskeyCreation,
  errors: [OfStaff, TooManyPasskeys, ProveAgain],
})

export const addPasskey = write('/user/control/passkey/add', {
  summary: 'Lets a passkey log in to my account from now on. I am told by e-mail.',
  input: z.object({ name, made: passkeyRegistration }),
  output: nothing,
  errors: [PasskeyWrong, PasskeyKnown, TooManyPasskeys, ProveAgain],
})

export const namePasskey = write('/user/control/passkey/name', {
  summary: 'Calls a passkey of mine something else.',
  input: z.object({ passkeyId: id, name }),
  output: nothing,
})

export const removePasskey = write('/user/control/passkey/remove', {
  summary: 'Lets a passkey of mine log in no more.',
  input: z.object({ passkeyId: id }),
  output: nothing,
  errors: [LastWayIn, ProveAgain],
  availableWhile: 'readOnly',
})
