import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#member-cleanup/server/jobs.ts'
import { routes } from '#member-cleanup/server/routes.ts'

export const feature: Feature = {
  name: 'member-cleanup',
  routes,
  jobs,
}
