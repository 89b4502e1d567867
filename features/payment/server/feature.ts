import type { Feature } from '#base/server/feature.ts'
import { bookChecks } from '#payment/server/book-checks.ts'
import { jobs } from '#payment/server/jobs.ts'
import { routes, webhooks } from '#payment/server/routes.ts'
import { paymentCredit, topUpRefund } from '#payment/server/by-hand.ts'
import { streams } from '#payment/server/own.ts'

export const feature: Feature = {
  name: 'payment',
  routes,
  webhooks,
  jobs,
  bookChecks,
  streams,
  moneyRequests: [topUpRefund, paymentCredit],
}
