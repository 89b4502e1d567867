import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#leaving/server/jobs.ts'
import { routes } from '#leaving/server/routes.ts'

export const feature: Feature = {
  name: 'leaving',
  routes,
  jobs,
}
