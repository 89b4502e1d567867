import type { Feature } from '#base/server/feature.ts'
import { bookChecks } from '#hidden-part/server/book-checks.ts'
import { jobs } from '#hidden-part/server/jobs.ts'
import { routes } from '#hidden-part/server/routes.ts'
import { refund, topicRefund } from '#hidden-part/server/refund.ts'

export const feature: Feature = {
  name: 'hidden-part',
  routes,
  jobs,
  bookChecks,
  moneyRequests: [refund, topicRefund],
}
