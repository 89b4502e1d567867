import * as audit from '#audit/server/audit.ts'
import { anyone, on, staff } from '#base/server/route.ts'
import * as contract from '#staff/contract.ts'
import * as failures from '#staff/server/failures.ts'
import * as own from '#staff/server/own.ts'
import * as people from '#staff/server/people.ts'
import * as roles from '#staff/server/roles.ts'
import * as session from '#staff/server/session.ts'
import * as signIn from '#staff/server/sign-in.ts'

const self = staff(contract.own)
const selfProved = staff(contract.own, { proved: true })
const manages = staff('staff.manage')
const managesProved = staff('staff.manage', { proved: true })
const triesAMinute = [{ times: 10, seconds: 60, by: 'ip' }] as const

export const routes = [
  on(contract.signInForm, anyone, async ({ db, from }) => ({ needsCaptcha: await signIn.needsCaptcha(db, from) })),
  on(
    contract.signIn,
    anyone,
    async ({ db, prepared, from, keep }) => {
      const sinceLastTime = await failures.sinceLastTime(db, prepared.id)
      keep(await signIn.begin(db, prepared, from))
      await audit.note(db, prepared, from, { deed: 'staff.signIn' })
      return { failures: sinceLastTime }
    },
    { prepare: signIn.prepare, limits: [{ times: 20, seconds: 60, by: 'ip' }], secret: true },
  ),
  on(contract.signOut, self, async ({ db, viewer, from, keep }) => {
    await session.end(db, { staffId: viewer.staff.id, only: viewer.staff.sessionId }, 'signed out')
    keep(null)
    await audit.note(db, viewer.staff, from, { deed: 'staff.signOut' })
    return {}
  }),
  on(contract.enterForum, self, ({ db, viewer, from }) => own.enterForum(db, viewer, from), { limits: triesAMinute, secret: true }),
  on(contract.me, self, ({ db, viewer }) => own.show(db, viewer)),
  on(
    contract.prove,
    self,
    async ({ db, viewer, prepared }) => {
      await signIn.mustStillBe(db, prepared)
      await own.proved(db, viewer.staff)
      return {}
    },
    { prepare: signIn.prepareAgain, limits: triesAMinute, secret: true },
  ),
  on(contract.ownSessions, self, ({ db, viewer }) => own.sessions(db, viewer.staff)),
  on(contract.endOwnSession, self, async ({ db, viewer, input, from }) => {
    await own.endSession(db, viewer.staff, from, input.sessionId)
    return {}
  }),
  on(
    contract.changeOwnPassword,
    selfProved,
    async ({ db, viewer, prepared, from }) => {
      await own.changePassword(db, viewer.staff, from, prepared)
      return {}
    },
    { prepare: own.prepareNewPassword, limits: triesAMinute, secret: true },
  ),
  on(contract.beginSecondFactor, selfProved, ({ db, viewer }) => own.beginSecondFactor(db, viewer.staff), { secret: true }),
  on(contract.confirmSecondFactor, selfProved, ({ db, viewer, from }) => own.confirmSecondFactor(db, viewer.staff, from), {
    prepare: own.prepareCode,
    limits: triesAMinute,
    secret: true,
  }),
  on(contract.renewRecoveryCodes, selfProved, ({ db, viewer, from }) => own.renewCodes(db, viewer.staff, from), { secret: true }),
  on(contract.removeSecondFactor, selfProved, async ({ db, viewer, from }) => {
    await own.removeSecondFactor(db, viewer.staff, from)
    return {}
  }),
  on(contract.staffRoles, manages, ({ db }) => roles.list(db)),
  on(contract.addStaffRole, managesProved, ({ db, viewer, input, from }) => roles.add(db, viewer.staff, from, input)),
  on(contract.editStaffRole, managesProved, async ({ db, viewer, input, from }) => {
    await roles.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeStaffRole, managesProved, async ({ db, viewer, input, from }) => {
    await roles.remove(db, viewer.staff, from, input.roleId)
    return {}
  }),
  on(contract.staffList, manages, ({ db }) => people.list(db)),
  on(contract.addStaff, managesProved, ({ db, viewer, input, from }) => people.add(db, viewer.staff, from, input), { secret: true }),
  on(contract.editStaff, managesProved, async ({ db, viewer, input, from }) => {
    await people.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.resetStaff, managesProved, ({ db, viewer, input, from }) => people.reset(db, viewer.staff, from, input.staffId), {
    secret: true,
  }),
]
