import { atMost, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#invitation/contract.ts'
import * as mine from '#invitation/server/mine.ts'
import * as desk from '#invitation/server/staff.ts'
import * as staffContract from '#invitation/staff-contract.ts'

const manages = staff('invitation.manage')

export const routes = [
  route(contract.myInvitations, members, ({ db, viewer, client }) => mine.list(db, viewer, client)),
  route(contract.makeInvitation, members, ({ db, viewer, input, client }) => mine.add(db, viewer, input.note, client), {
    limits: atMost({ times: 20, seconds: 3600 }),
    secret: true,
  }),
  route(contract.revokeMyInvitation, members, ({ db, viewer, input }) => mine.end(db, viewer, input.invitationId)),
  route(staffContract.invitationList, manages, ({ db, input, client }) => desk.list(db, input, client)),
  route(staffContract.addInvitation, manages, ({ db, viewer, input, client }) => desk.add(db, viewer.staff, client, input), {
    secret: true,
  }),
  route(staffContract.revokeInvitation, manages, ({ db, viewer, input, client }) => desk.end(db, viewer.staff, client, input.invitationId)),
  route(staffContract.joinedBy, manages, ({ db, input }) => desk.joined(db, input.invitationId)),
]
