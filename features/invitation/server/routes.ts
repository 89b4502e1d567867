import { doneAtMost, members, on, staff } from '#base/server/route.ts'
import * as contract from '#invitation/contract.ts'
import * as mine from '#invitation/server/mine.ts'
import * as desk from '#invitation/server/staff.ts'
import * as staffContract from '#invitation/staff-contract.ts'

const manages = staff('invitation.manage')

export const routes = [
  on(contract.myInvitations, members, ({ db, viewer, from }) => mine.list(db, viewer, from)),
  on(contract.makeInvitation, members, ({ db, viewer, input, from }) => mine.add(db, viewer, input.note, from), {
    limits: doneAtMost({ times: 20, seconds: 3600 }),
    secret: true,
  }),
  on(contract.revokeMyInvitation, members, async ({ db, viewer, input }) => {
    await mine.end(db, viewer, input.invitationId)
    return {}
  }),
  on(staffContract.invitationList, manages, ({ db, input, from }) => desk.list(db, input, from)),
  on(staffContract.addInvitation, manages, ({ db, viewer, input, from }) => desk.add(db, viewer.staff, from, input), { secret: true }),
  on(staffContract.revokeInvitation, manages, async ({ db, viewer, input, from }) => {
    await desk.end(db, viewer.staff, from, input.invitationId)
    return {}
  }),
  on(staffContract.joinedBy, manages, ({ db, input }) => desk.joined(db, input.invitationId)),
]
