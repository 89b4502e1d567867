import type { Feature } from '#base/server/feature.ts'
import { adjustment } from '#wallet/server/adjust.ts'
import { ledgerChecks } from '#wallet/server/checks.ts'
import { jobs } from '#wallet/server/jobs.ts'
import { reversal } from '#wallet/server/reverse.ts'
import { routes } from '#wallet/server/routes.ts'

export const feature: Feature = {
  name: 'wallet',
  routes,
  jobs,
  bookChecks: ledgerChecks,
  moneyRequests: [adjustment, reversal],
}
