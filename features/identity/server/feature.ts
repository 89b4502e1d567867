import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#identity/server/jobs.ts'
import { routes } from '#identity/server/routes.ts'

export const feature: Feature = {
  name: 'identity',
  routes,
  jobs,
}
