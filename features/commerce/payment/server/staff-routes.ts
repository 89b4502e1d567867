import * as audit from '#audit/server/audit.ts'
import { atMost, route, staff } from '#base/server/http/route.ts'
import { bookByHand } from '#payment/server/book-by-hand.ts'
import * as byHand from '#payment/server/by-hand.ts'
import * as events from '#payment/server/events-for-staff.ts'
import * as payments from '#payment/server/payments-for-staff.ts'
import * as told from '#payment/event-contract.ts'
import * as trial from '#payment/sandbox-contract.ts'
import * as desk from '#payment/staff-contract.ts'
import * as providers from '#payment/server/provider-admin.ts'
import * as asked from '#payment/refund-contract.ts'
import { readAgain, recordReading } from '#payment/server/read-again.ts'
import * as requests from '#payment/server/refund-request.ts'
import * as refunds from '#payment/server/refunds-for-staff.ts'
import * as sandbox from '#payment/server/sandbox-money.ts'

const views = staff('payment.view')
const moves = staff('payment.refund', { proved: true })
// Each of these calls a provider.
const few = atMost({ times: 20, seconds: 60 })

export const staffRoutes = [
  route(desk.paymentList, views, ({ db, input }) => payments.list(db, input)),
  route(desk.paymentTotals, views, ({ db, input }) => payments.totals(db, input), { longRunning: true }),
  route(desk.notePaymentExport, views, audit.noteExport('payment.export')),
  route(desk.staffPayment, views, ({ db, viewer, input }) => payments.show(db, viewer, input.number)),
  route(desk.askProvider, views, ({ db, viewer, input, client, prepared }) => providers.recordQuery(db, viewer, client, input, prepared), {
    prepare: providers.queryProvider,
    limits: few,
  }),
  route(desk.refundPayment, moves, ({ db, viewer, input, client }) => byHand.refundByHand(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(desk.refundList, views, ({ db, input }) => refunds.list(db, input)),
  route(asked.refundRequests, views, ({ db }) => requests.list(db)),
  route(asked.declineRefund, moves, ({ db, viewer, input, client }) => requests.decline(db, viewer, client, input)),
  route(desk.refundTotals, views, ({ db, input }) => refunds.totals(db, input), { longRunning: true }),
  route(desk.noteRefundExport, views, audit.noteExport('payment.refundExport')),
  route(desk.disputeList, views, ({ db, input }) => refunds.disputeRows(db, input)),
  route(trial.sandboxMoney, views, ({ db, viewer, input }) => sandbox.list(db, viewer, input), { longRunning: true }),
  route(trial.takeBackSandboxMoney, moves, ({ db, viewer, input, client }) => sandbox.takeBack(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(desk.eventList, views, ({ db, input }) => events.list(db, input)),
  route(told.staffEvent, views, ({ db, input }) => events.show(db, input.eventId)),
  route(told.creditEvent, moves, ({ db, viewer, input, client }) => byHand.creditByHand(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(told.returnEvent, moves, ({ db, viewer, input, client }) => byHand.returnByHand(db, viewer, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(told.bookEvent, moves, ({ db, viewer, input, client }) => bookByHand(db, viewer, client, input), { requiresIdempotencyKey: true }),
  route(told.dismissEvent, moves, ({ db, viewer, input, client }) => byHand.dismiss(db, viewer, client, input)),
  route(told.readEventAgain, moves, ({ db, viewer, input, client, prepared }) => recordReading(db, viewer, client, input, prepared), {
    prepare: readAgain,
    limits: few,
  }),
  route(told.providerStates, views, ({ db }) => providers.states(db)),
  route(
    told.testProvider,
    staff('payment.keys', { proved: true }),
    ({ db, viewer, input, client, prepared }) => providers.recordTest(db, viewer, client, input, prepared),
    { prepare: providers.testKeys, limits: few },
  ),
]
