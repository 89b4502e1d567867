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
  summary: 'Security settings of the member’s account: second factor, passkeys and trusted devices.',
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
  summary: 'Creates a secret for an authenticator app. It takes effect once a code of the app is confirmed.',
  input: nothing,
  output: AppSetup,
  errors: [OnAlready, OfStaff, ProveAgain],
})

export const confirmSecondFactor = write('/user/control/secondFactor/confirm', {
  summary:
    'Turns on the second factor with a code of the app, returns ten recovery codes once, notifies the owner and can end other sessions.',
  input: z.object({ code: appCode, endsOthers: z.boolean().default(true) }),
  output: RecoveryCodesView,
  errors: [NotBegun, CodeWrong, TooManyTries, ProveAgain, TooManySent],
})

export const renewRecoveryCodes = write('/user/control/secondFactor/codes', {
  summary: 'Replaces the recovery codes with ten new ones, shown once. The old ones become invalid.',
  input: nothing,
  output: RecoveryCodesView,
  errors: [NotOn, ProveAgain],
})

export const removeSecondFactor = write('/user/control/secondFactor/remove', {
  summary: 'Turns off the second factor and removes all trusted devices.',
  input: nothing,
  output: nothing,
  errors: [NotOn, ProveAgain],
})

export const endTrustedDevice = write('/user/control/trustedDevice/end', {
  summary: 'Revokes the trust of a device, which needs a code again at the next sign-in.',
  input: z.object({ deviceId: id }),
  output: nothing,
  availableWhile: 'readOnly',
})

const name = plainString.min(1).max(50)

export const beginPasskey = write('/user/control/passkey/begin', {
  summary: 'Returns the options from which a device creates a passkey.',
  input: nothing,
  output: PasskeyCreation,
  errors: [OfStaff, TooManyPasskeys, ProveAgain],
})

export const addPasskey = write('/user/control/passkey/add', {
  summary: 'Adds a passkey to the member’s account, and notifies the member by e-mail.',
  input: z.object({ name, made: passkeyRegistration }),
  output: nothing,
  errors: [PasskeyWrong, PasskeyKnown, TooManyPasskeys, ProveAgain],
})

export const namePasskey = write('/user/control/passkey/name', {
  summary: 'Renames one of the member’s passkeys.',
  input: z.object({ passkeyId: id, name }),
  output: nothing,
})

export const removePasskey = write('/user/control/passkey/remove', {
  summary: 'Removes one of the member’s passkeys.',
  input: z.object({ passkeyId: id }),
  output: nothing,
  errors: [LastWayIn, ProveAgain],
  availableWhile: 'readOnly',
})
