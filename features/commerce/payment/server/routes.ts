import type { Webhook } from '#base/server/http/webhook.ts'
import { atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#payment/contract.ts'
import { receive } from '#payment/server/inbox.ts'
import { continueInside } from '#payment/server/in-wechat.ts'
import * as order from '#payment/server/order.ts'
import * as own from '#payment/server/member-payments.ts'
import * as refundRequest from '#payment/server/refund-request.ts'
import { staffRoutes } from '#payment/server/staff-routes.ts'
import * as tryOut from '#payment/server/sandbox-outcome.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  route(contract.paymentForm, members, ({ db, viewer, client, input }) => order.form(db, viewer, client, input)),
  route(contract.topUp, role.unlessBanned('money'), ({ db, viewer, prepared }) => order.topUp(db, viewer, prepared), {
    prepare: order.begin,
    requiresIdempotencyKey: true,
    limits: atMost({ times: 10, seconds: 60 }),
  }),
  route(contract.payment, members, ({ db, viewer, input }) => own.show(db, viewer, input.number)),
  route(contract.paymentList, members, ({ db, viewer, input }) => own.list(db, viewer, input)),
  route(contract.cancelPayment, members, ({ db, input }) => order.cancel(db, input), { prepare: order.closeAtProvider }),
  route(contract.askForRefund, members, ({ db, viewer, input }) => refundRequest.ask(db, viewer, input), {
    limits: atMost({ times: 10, seconds: 60 }),
  }),
  route(contract.withdrawRefund, members, ({ db, viewer, input }) => refundRequest.withdraw(db, viewer, input.number)),
  route(contract.continueInWeChat, members, ({ prepared }) => Promise.resolve(prepared), {
    prepare: continueInside,
    limits: atMost({ times: 10, seconds: 60 }),
  }),
  route(contract.sandboxPayment, members, ({ db, viewer, client, input }) => tryOut.showPayment(db, viewer, client, input.number)),
  route(contract.paySandbox, members, ({ db, viewer, client, input }) => tryOut.applyOutcome(db, viewer, client, input)),
  ...staffRoutes,
]

/** The endpoints that providers call. */
export const webhooks: readonly Webhook[] = [{ path: '/payment', maxBytes: 256 * 1024, perMinute: 6_000, answer: receive }]
