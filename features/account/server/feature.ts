import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#account/server/jobs.ts'
import { routes } from '#account/server/routes.ts'

export const feature: Feature = {
  name: 'account',
  routes,
  jobs,
}
