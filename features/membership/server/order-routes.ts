import * as audit from '#audit/server/audit.ts'
import { on, staff } from '#base/server/route.ts'
import { membershipFigures } from '#membership/figures-contract.ts'
import * as desk from '#membership/order-contract.ts'
import { figures } from '#membership/server/figures.ts'
import * as orders from '#membership/server/orders-for-staff.ts'
import { refundByHand } from '#membership/server/refund-by-hand.ts'
import { roleTimes } from '#membership/server/role-times.ts'

const views = staff('membership.view')

export const orderRoutes = [
  on(desk.membershipOrders, views, ({ db, input }) => orders.list(db, input)),
  on(desk.membershipOrderTotals, views, ({ db, input }) => orders.totals(db, input), { longRunning: true }),
  on(membershipFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
  on(desk.membershipChoices, views, ({ db }) => orders.choices(db)),
  on(desk.memberRoleTimes, views, ({ db, input }) => roleTimes(db, input.memberId)),
  on(desk.noteOrderExport, views, audit.noteFile('membershipOrder.export')),
  on(desk.membershipOrder, views, ({ db, viewer, input }) => orders.show(db, viewer, input.orderId)),
  on(
    desk.refundMembershipOrder,
    staff('membership.refund', { proved: true }),
    ({ db, viewer, input, from }) => refundByHand(db, viewer, from, input),
    {
      demandsKey: true,
    },
  ),
]
