import * as contract from '#account-security/contract.ts'
import * as codes from '#account-security/server/codes.ts'
import * as passkeys from '#account-security/server/passkeys.ts'
import { members, on } from '#base/server/route.ts'

const few = [{ times: 10, seconds: 60, by: 'member' }] as const

export const routes = [
  on(contract.security, members, ({ db, viewer, from }) => codes.look(db, viewer, from)),
  on(contract.beginSecondFactor, members, ({ db, viewer }) => codes.begin(db, viewer), { limits: few, secret: true }),
  on(contract.confirmSecondFactor, members, ({ db, viewer, input }) => codes.confirm(db, viewer, input.endsOthers), {
    prepare: codes.prepareCode,
    limits: few,
    secret: true,
  }),
  on(contract.renewRecoveryCodes, members, ({ db, viewer }) => codes.renewCodes(db, viewer), { limits: few, secret: true }),
  on(contract.removeSecondFactor, members, async ({ db, viewer }) => {
    await codes.remove(db, viewer)
    return {}
  }),
  on(contract.endTrustedDevice, members, async ({ db, viewer, input }) => {
    await codes.endDevice(db, viewer, input.deviceId)
    return {}
  }),
  on(contract.beginPasskey, members, ({ db, viewer, from }) => passkeys.begin(db, viewer, from), { limits: few, secret: true }),
  on(
    contract.addPasskey,
    members,
    async ({ db, viewer, input, prepared }) => {
      await passkeys.add(db, viewer, prepared, input.name)
      return {}
    },
    { prepare: passkeys.prepare, limits: few },
  ),
  on(contract.namePasskey, members, async ({ db, viewer, input }) => {
    await passkeys.rename(db, viewer, input)
    return {}
  }),
  on(contract.removePasskey, members, async ({ db, viewer, input }) => {
    await passkeys.remove(db, viewer, input.passkeyId)
    return {}
  }),
]
