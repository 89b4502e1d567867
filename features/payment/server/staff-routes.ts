import * as audit from '#audit/server/audit.ts'
import { doneAtMost, on, staff } from '#base/server/route.ts'
import * as byHand from '#payment/server/by-hand.ts'
import * as events from '#payment/server/events-for-staff.ts'
import { waiting } from '#payment/server/payment.ts'
import * as payments from '#payment/server/payments-for-staff.ts'
import * as told from '#payment/event-contract.ts'
import * as desk from '#payment/staff-contract.ts'
import * as providers from '#payment/server/provider-desk.ts'
import * as refunds from '#payment/server/refunds-for-staff.ts'

const views = staff('payment.view')
const moves = staff('payment.refund', { proved: true })
// Each asks another machine.
const few = doneAtMost({ times: 20, seconds: 60 })

export const staffRoutes = [
  on(desk.paymentList, views, ({ db, input }) => payments.list(db, input)),
  on(desk.paymentTotals, views, ({ db, input }) => payments.totals(db, input), { longRunning: true }),
  on(desk.notePaymentExport, views, audit.noteFile('payment.export')),
  on(desk.staffPayment, views, ({ db, viewer, input }) => payments.show(db, viewer, input.number)),
  on(desk.askProvider, views, ({ db, viewer, input, from, prepared }) => providers.noteAsked(db, viewer, from, input, prepared), {
    prepare: providers.ask,
    limits: few,
  }),
  on(desk.refundPayment, moves, ({ db, viewer, input, from }) => byHand.refundByHand(db, viewer, from, input), { demandsKey: true }),
  on(desk.refundList, views, ({ db, input }) => refunds.list(db, input)),
  on(desk.refundTotals, views, ({ db, input }) => refunds.totals(db, input), { longRunning: true }),
  on(desk.noteRefundExport, views, audit.noteFile('payment.refundExport')),
  on(desk.disputeList, views, ({ db, input }) => refunds.disputeRows(db, input)),
  on(told.eventList, views, ({ db, input }) => events.list(db, input)),
  on(told.staffEvent, views, ({ db, input }) => events.show(db, input.eventId)),
  on(told.creditEvent, moves, ({ db, viewer, input, from }) => byHand.creditByHand(db, viewer, from, input), { demandsKey: true }),
  on(told.returnEvent, moves, ({ db, viewer, input, from }) => byHand.returnByHand(db, viewer, from, input), { demandsKey: true }),
  on(told.dismissEvent, moves, async ({ db, viewer, input, from }) => {
    await byHand.dismiss(db, viewer, from, input)
    return {}
  }),
  on(told.paymentsWaiting, views, ({ db }) => waiting(db)),
  on(told.providerStates, views, ({ db }) => providers.states(db)),
  on(
    told.testProvider,
    staff('payment.keys', { proved: true }),
    ({ db, viewer, input, from, prepared }) => providers.noteTried(db, viewer, from, input, prepared),
    { prepare: providers.tryKeys, limits: few },
  ),
]
