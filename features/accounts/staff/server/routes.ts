import * as audit from '#audit/server/audit.ts'
import { anyone, route, staff } from '#base/server/http/route.ts'
import * as contract from '#staff/contract.ts'
import { addStaffRole, editStaffRole, me } from '#staff/right-contract.ts'
import * as failures from '#staff/server/failures.ts'
import * as own from '#staff/server/own.ts'
import * as people from '#staff/server/people.ts'
import * as roles from '#staff/server/roles.ts'
import * as session from '#staff/server/session.ts'
import * as signIn from '#staff/server/sign-in.ts'

const self = staff(contract.ownAccount)
const selfProved = staff(contract.ownAccount, { proved: true })
const manages = staff('staff.manage')
const managesProved = staff('staff.manage', { proved: true })
const triesAMinute = [{ times: 10, seconds: 60, by: 'ip' }] as const

export const routes = [
  route(contract.signInForm, anyone, async ({ db, client }) => ({ needsCaptcha: await signIn.needsCaptcha(db, client) })),
  route(
    contract.signIn,
    anyone,
    async ({ db, prepared, client, setSecretCookie }) => {
      const sinceLastTime = await failures.sinceLastLogin(db, prepared.id)
      setSecretCookie(await signIn.begin(db, prepared, client))
      await audit.note(db, prepared, client, { action: 'staff.signIn' })
      return { failures: sinceLastTime }
    },
    { prepare: signIn.prepare, limits: [{ times: 20, seconds: 60, by: 'ip' }], secret: true },
  ),
  route(contract.signOut, self, async ({ db, viewer, client, setSecretCookie }) => {
    await session.end(db, { staffId: viewer.staff.id, only: viewer.staff.sessionId }, 'signed out')
    setSecretCookie(null)
    await audit.note(db, viewer.staff, client, { action: 'staff.signOut' })
  }),
  route(contract.enterForum, self, ({ db, viewer, client }) => own.enterForum(db, viewer, client), { limits: triesAMinute, secret: true }),
  route(me, self, ({ db, viewer }) => own.show(db, viewer)),
  route(
    contract.prove,
    self,
    async ({ db, viewer, prepared }) => {
      await signIn.mustBeUnchanged(db, prepared)
      await own.recordProof(db, viewer.staff)
    },
    { prepare: signIn.prepareProof, limits: triesAMinute, secret: true },
  ),
  route(contract.ownSessions, self, ({ db, viewer }) => own.sessions(db, viewer.staff)),
  route(contract.endOwnSession, self, ({ db, viewer, input, client }) => own.endSession(db, viewer.staff, client, input.sessionId)),
  route(
    contract.changeOwnPassword,
    selfProved,
    ({ db, viewer, prepared, client }) => own.changePassword(db, viewer.staff, client, prepared),
    { prepare: own.prepareNewPassword, limits: triesAMinute, secret: true },
  ),
  route(contract.beginSecondFactor, selfProved, ({ db, viewer }) => own.beginSecondFactor(db, viewer.staff), { secret: true }),
  route(contract.confirmSecondFactor, selfProved, ({ db, viewer, client }) => own.confirmSecondFactor(db, viewer.staff, client), {
    prepare: own.prepareCode,
    limits: triesAMinute,
    secret: true,
  }),
  route(contract.renewRecoveryCodes, selfProved, ({ db, viewer, client }) => own.renewCodes(db, viewer.staff, client), { secret: true }),
  route(contract.removeSecondFactor, selfProved, ({ db, viewer, client }) => own.removeSecondFactor(db, viewer.staff, client)),
  route(contract.staffRoles, manages, ({ db }) => roles.list(db)),
  route(addStaffRole, managesProved, ({ db, viewer, input, client }) => roles.add(db, viewer.staff, client, input)),
  route(editStaffRole, managesProved, ({ db, viewer, input, client }) => roles.edit(db, viewer.staff, client, input)),
  route(contract.removeStaffRole, managesProved, ({ db, viewer, input, client }) => roles.remove(db, viewer.staff, client, input.roleId)),
  route(contract.staffList, manages, ({ db }) => people.list(db)),
  route(contract.addStaff, managesProved, ({ db, viewer, input, client }) => people.add(db, viewer.staff, client, input), { secret: true }),
  route(contract.editStaff, managesProved, ({ db, viewer, input, client }) => people.edit(db, viewer.staff, client, input)),
  route(contract.resetStaff, managesProved, ({ db, viewer, input, client }) => people.reset(db, viewer.staff, client, input.staffId), {
    secret: true,
  }),
]
