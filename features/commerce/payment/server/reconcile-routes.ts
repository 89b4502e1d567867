import * as audit from '#audit/server/audit.ts'
import { route, staff } from '#base/server/http/route.ts'
import * as desk from '#payment/reconcile-contract.ts'
import { figures, month } from '#payment/server/month.ts'
import * as failures from '#payment/server/statement-failures.ts'
import * as list from '#payment/server/reconcile-list.ts'

const views = staff('payment.view')

export const reconcileRoutes = [
  route(desk.statementList, views, ({ db, input }) => list.statements(db, input)),
  route(desk.statementFailures, views, ({ db }) => failures.list(db)),
  route(desk.differenceList, views, ({ db, input }) => list.differences(db, input)),
  route(desk.settleDifference, staff('payment.refund', { proved: true }), ({ db, viewer, input, client }) =>
    list.settle(db, viewer, client, input),
  ),
  route(desk.paymentMonth, views, ({ db, input }) => month(db, input), { longRunning: true }),
  route(desk.noteMonthExport, views, audit.noteExport('payment.monthExport')),
  route(desk.paymentFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
]
