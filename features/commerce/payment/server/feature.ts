import type { Feature } from '#base/server/feature.ts'
import { archive } from '#payment/server/archive-parts.ts'
import { bookChecks } from '#payment/server/book-checks.ts'
import { paymentBooking } from '#payment/server/book-by-hand.ts'
import { jobs } from '#payment/server/jobs.ts'
import { routes, webhooks } from '#payment/server/routes.ts'
import { paymentCredit, topUpRefund } from '#payment/server/by-hand.ts'
import { streams } from '#payment/server/member-payments.ts'
import { unpaidCents } from '#payment/server/sandbox-money.ts'
import { settingChecks } from '#payment/server/setting-checks.ts'
import { settingForms } from '#payment/server/key-formats.ts'

export const feature: Feature = {
  name: 'payment',
  routes,
  settingChecks,
  settingForms,
  webhooks,
  jobs,
  bookChecks,
  streams,
  unpaidCents,
  moneyRequests: [topUpRefund, paymentCredit, paymentBooking],
  archive,
  memberColumns: {
    'payment_event.credited_to': { archive: true, erase: 'The books never change.', merge: 'The books never change.' },
    'payment_order.member_id': {
      archive: true,
      erase: 'The books never change; a payment of a merged member is credited to the account they have now.',
      merge: 'The books never change; payments are credited to the account they have now.',
    },
  },
}
