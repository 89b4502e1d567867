import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#file/server/jobs.ts'
import { routes } from '#file/server/routes.ts'

export const feature: Feature = {
  name: 'file',
  routes,
  jobs,
}
