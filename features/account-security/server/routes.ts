import * as contract from '#account-security/contract.ts'
import * as codes from '#account-security/server/codes.ts'
import * as passkeys from '#account-security/server/passkeys.ts'
import { members, route } from '#base/server/http/route.ts'

const strictLimit = [{ times: 10, seconds: 60, by: 'member' }] as const

export const routes = [
  route(contract.security, members, ({ db, viewer, client }) => codes.show(db, viewer, client)),
  route(contract.beginSecondFactor, members, ({ db, viewer }) => codes.begin(db, viewer), { limits: strictLimit, secret: true }),
  route(contract.confirmSecondFactor, members, ({ db, viewer, input }) => codes.confirm(db, viewer, input.endsOthers), {
    prepare: codes.prepareCode,
    limits: strictLimit,
    secret: true,
  }),
  route(contract.renewRecoveryCodes, members, ({ db, viewer }) => codes.renewCodes(db, viewer), { limits: strictLimit, secret: true }),
  route(contract.removeSecondFactor, members, async ({ db, viewer }) => {
    await codes.remove(db, viewer)
    return {}
  }),
  route(contract.endTrustedDevice, members, async ({ db, viewer, input }) => {
    await codes.endDevice(db, viewer, input.deviceId)
    return {}
  }),
  route(contract.beginPasskey, members, ({ db, viewer, client }) => passkeys.begin(db, viewer, client), {
    limits: strictLimit,
    secret: true,
  }),
  route(
    contract.addPasskey,
    members,
    async ({ db, viewer, input, prepared }) => {
      await passkeys.add(db, viewer, prepared, input.name)
      return {}
    },
    { prepare: passkeys.prepare, limits: strictLimit },
  ),
  route(contract.namePasskey, members, async ({ db, viewer, input }) => {
    await passkeys.rename(db, viewer, input)
    return {}
  }),
  route(contract.removePasskey, members, async ({ db, viewer, input }) => {
    await passkeys.remove(db, viewer, input.passkeyId)
    return {}
  }),
]
