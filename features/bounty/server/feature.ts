import type { Feature } from '#base/server/feature.ts'
import { bookChecks } from '#bounty/server/book-checks.ts'
import { jobs } from '#bounty/server/jobs.ts'
import { routes } from '#bounty/server/routes.ts'
import { bountyChange } from '#bounty/server/staff.ts'

export const feature: Feature = {
  name: 'bounty',
  routes,
  jobs,
  bookChecks,
  moneyRequests: [bountyChange],
}
