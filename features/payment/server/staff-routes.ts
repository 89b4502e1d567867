import { on, staff } from '#base/server/route.ts'
import * as byHand from '#payment/server/by-hand.ts'
import * as desk from '#payment/staff-contract.ts'

const refunds = staff('payment.refund', { proved: true })

export const staffRoutes = [
  on(desk.refundPayment, refunds, ({ db, viewer, input, from }) => byHand.refundByHand(db, viewer, from, input), { demandsKey: true }),
  on(desk.creditEvent, refunds, ({ db, viewer, input, from }) => byHand.creditByHand(db, viewer, from, input), { demandsKey: true }),
  on(desk.returnEvent, refunds, ({ db, viewer, input, from }) => byHand.returnByHand(db, viewer, from, input), { demandsKey: true }),
  on(desk.dismissEvent, refunds, async ({ db, viewer, input, from }) => {
    await byHand.dismiss(db, viewer, from, input)
    return {}
  }),
]
