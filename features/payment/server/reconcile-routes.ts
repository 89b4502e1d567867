import * as audit from '#audit/server/audit.ts'
import { on, staff } from '#base/server/route.ts'
import * as desk from '#payment/reconcile-contract.ts'
import { figures, month } from '#payment/server/month.ts'
import * as list from '#payment/server/reconcile-list.ts'

const views = staff('payment.view')

export const reconcileRoutes = [
  on(desk.statementList, views, ({ db, input }) => list.statements(db, input)),
  on(desk.differenceList, views, ({ db, input }) => list.differences(db, input)),
  on(desk.settleDifference, staff('payment.refund', { proved: true }), async ({ db, viewer, input, from }) => {
    await list.settle(db, viewer, from, input)
    return {}
  }),
  on(desk.paymentMonth, views, ({ db, input }) => month(db, input), { longRunning: true }),
  on(desk.noteMonthExport, views, audit.noteFile('payment.monthExport')),
  on(desk.paymentFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
]
