import { doneAtMost, members, on, staff } from '#base/server/route.ts'
import * as contract from '#bounty/contract.ts'
import { form, raise } from '#bounty/server/offer.ts'
import * as desk from '#bounty/server/staff.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  on(contract.bountyForm, members, ({ db, viewer }) => form(db, viewer)),
  on(
    contract.raiseBounty,
    role.free('money'),
    async ({ db, viewer, input }) => {
      await raise(db, viewer, input)
      return {}
    },
    { demandsKey: true, limits: doneAtMost({ times: 20, seconds: 60 }) },
  ),
  on(contract.bountyForStaff, staff('content.view'), ({ db, input }) => desk.show(db, input.topicId)),
  on(
    contract.changeBounty,
    staff('question.bounty', { proved: true }),
    ({ db, viewer, from, input }) => desk.change(db, viewer, from, input),
    { demandsKey: true },
  ),
]
