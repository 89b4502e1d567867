import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#real-name/server/jobs.ts'
import { routes } from '#real-name/server/routes.ts'

export const feature: Feature = {
  name: 'real-name',
  routes,
  jobs,
}
