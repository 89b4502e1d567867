import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#collusion/server/jobs.ts'
import { routes } from '#collusion/server/routes.ts'

export const feature: Feature = {
  name: 'collusion',
  routes,
  jobs,
}
