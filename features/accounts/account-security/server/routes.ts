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
  route(contract.removeSecondFactor, members, ({ db, viewer }) => codes.remove(db, viewer)),
  route(contract.endTrustedDevice, members, ({ db, viewer, input }) => codes.endDevice(db, viewer, input.deviceId)),
  route(contract.beginPasskey, members, ({ db, viewer, client }) => passkeys.begin(db, viewer, client), {
    limits: strictLimit,
    secret: true,
  }),
  route(contract.addPasskey, members, ({ db, viewer, input, prepared }) => passkeys.add(db, viewer, prepared, input.name), {
    prepare: passkeys.prepare,
    limits: strictLimit,
  }),
  route(contract.namePasskey, members, ({ db, viewer, input }) => passkeys.rename(db, viewer, input)),
  route(contract.removePasskey, members, ({ db, viewer, input }) => passkeys.remove(db, viewer, input.passkeyId)),
]
