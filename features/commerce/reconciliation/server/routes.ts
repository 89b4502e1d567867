import * as audit from '#audit/server/audit.ts'
import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#reconciliation/contract.ts'
import { figures, month } from '#reconciliation/server/month.ts'
import * as list from '#reconciliation/server/list.ts'
import { waitingForStaff } from '#reconciliation/server/reconciliation.ts'
import * as failures from '#reconciliation/server/statement-failures.ts'

const views = staff('payment.view')

export const routes = [
  route(contract.paymentsWaiting, views, ({ db }) => waitingForStaff(db)),
  route(contract.statementList, views, ({ db, input }) => list.statements(db, input)),
  route(contract.statementFailures, views, ({ db }) => failures.list(db)),
  route(contract.differenceList, views, ({ db, input }) => list.differences(db, input)),
  route(contract.settleDifference, staff('payment.refund', { proved: true }), ({ db, viewer, input, client }) =>
    list.settle(db, viewer, client, input),
  ),
  route(contract.paymentMonth, views, ({ db, input }) => month(db, input), { longRunning: true }),
  route(contract.noteMonthExport, views, audit.noteExport('payment.monthExport')),
  route(contract.paymentFigures, views, ({ db, input }) => figures(db, input), { longRunning: true }),
]
