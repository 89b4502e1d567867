import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#draft/server/jobs.ts'
import { routes } from '#draft/server/routes.ts'

export const feature: Feature = {
  name: 'draft',
  routes,
  jobs,
}
