import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { appCode, Begun, CodeWrong, ProveAgain, RecoveryCodesView, TooManyTries } from '#second-factor/contract.ts'

export const OnAlready = refusal('accountSecurity.onAlready')
export const NotBegun = refusal('accountSecurity.notBegun', { field: 'code' })
export const NotOn = refusal('accountSecurity.notOn')
/** They set it up where they sign in to the administration. */
export const OfStaff = refusal('accountSecurity.ofStaff')

export const security = read('/user/control/security', {
  does: 'How my account is kept safe: whether codes are asked for, and which devices are trusted.',
  takes: nothing,
  gives: z.object({
    /** Null where no codes are asked for. */
    onSince: z.iso.datetime().nullable(),
    codesLeft: z.number(),
    isStaff: z.boolean(),
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
  does: 'A new secret for an authenticator app; it counts once a code of it was given.',
  takes: nothing,
  gives: Begun,
  refuses: [OnAlready, OfStaff, ProveAgain],
})

export const confirmSecondFactor = write('/user/control/secondFactor/confirm', {
  does: 'Shows that the app works: from now on a login takes a code. Gives ten recovery codes, once, and ends my other sessions where I want that.',
  takes: z.object({ code: appCode, endsOthers: z.boolean().default(true) }),
  gives: RecoveryCodesView,
  refuses: [NotBegun, CodeWrong, TooManyTries, ProveAgain],
})

export const renewRecoveryCodes = write('/user/control/secondFactor/codes', {
  does: 'Gives ten new recovery codes, once; the old ones open nothing any more.',
  takes: nothing,
  gives: RecoveryCodesView,
  refuses: [NotOn, ProveAgain],
})

export const removeSecondFactor = write('/user/control/secondFactor/remove', {
  does: 'Asks for no codes any more, and trusts no device.',
  takes: nothing,
  gives: nothing,
  refuses: [NotOn, ProveAgain],
})

export const endTrustedDevice = write('/user/control/trustedDevice/end', {
  does: 'Asks one of my devices for a code again.',
  takes: z.object({ deviceId: id }),
  gives: nothing,
  answeredWhile: 'readOnly',
})
