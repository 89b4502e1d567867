import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#batch/server/jobs.ts'
import { routes } from '#batch/server/routes.ts'

export const feature: Feature = {
  name: 'batch',
  routes,
  jobs,
}
