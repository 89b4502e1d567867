import { atMost, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#bounty/contract.ts'
import { form, raise } from '#bounty/server/offer.ts'
import * as desk from '#bounty/server/staff.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  route(contract.bountyForm, members, ({ db, viewer }) => form(db, viewer)),
  route(contract.raiseBounty, role.unlessBanned('money'), ({ db, viewer, input }) => raise(db, viewer, input), {
    requiresIdempotencyKey: true,
    limits: atMost({ times: 20, seconds: 60 }),
  }),
  route(contract.bountyForStaff, staff('content.view'), ({ db, input }) => desk.show(db, input.topicId)),
  route(
    contract.changeBounty,
    staff('question.bounty', { proved: true }),
    ({ db, viewer, client, input }) => desk.change(db, viewer, client, input),
    { requiresIdempotencyKey: true },
  ),
]
