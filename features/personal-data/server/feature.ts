import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#personal-data/server/jobs.ts'
import { routes } from '#personal-data/server/routes.ts'

export const feature: Feature = {
  name: 'personal-data',
  routes,
  jobs,
}
