import type { Feature } from '#base/server/feature.ts'
import { bufferedWriters } from '#post/server/jobs.ts'
import { bookChecks } from '#post/server/reward-checks.ts'
import { routes } from '#post/server/routes.ts'

export const feature: Feature = {
  name: 'post',
  routes,
  bufferedWriters,
  bookChecks,
}
