import * as audit from '#audit/server/audit.ts'
import { route, staff } from '#base/server/http/route.ts'
import { membershipFigures } from '#membership/figures-contract.ts'
import * as desk from '#membership/order-contract.ts'
import { figures } from '#membership/server/figures.ts'
import * as orders from '#membership/server/orders-for-staff.ts'
import { refundByHand } from '#membership/server/refund-by-hand.ts'
import { roleTimes } from '#membership/server/role-times.ts'

const views = staff('membership.view')

export const orderRoutes = [
  route(desk.membershipOrders, views, ({ db, input }) => orders.list(db, input)),
  route(desk.membershipOrderTotals, views, ({ db, input }) => orders.totals(db, input), { longRunning: true }),
  route(membershipFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
  route(desk.membershipChoices, views, ({ db }) => orders.choices(db)),
  route(desk.memberRoleTimes, views, ({ db, input }) => roleTimes(db, input.memberId)),
  route(desk.noteOrderExport, views, audit.noteExport('membershipOrder.export')),
  route(desk.membershipOrder, views, ({ db, viewer, input }) => orders.show(db, viewer, input.orderId)),
  route(
    desk.refundMembershipOrder,
    staff('membership.refund', { proved: true }),
    ({ db, viewer, input, client }) => refundByHand(db, viewer, client, input),
    {
      requiresIdempotencyKey: true,
    },
  ),
]
