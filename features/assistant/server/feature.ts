import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#assistant/server/jobs.ts'
import { routes } from '#assistant/server/routes.ts'

export const feature: Feature = {
  name: 'assistant',
  routes,
  jobs,
}
