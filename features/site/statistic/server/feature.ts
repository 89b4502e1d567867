import type { Feature } from '#base/server/feature.ts'
import { jobs, bufferedWriters } from '#statistic/server/jobs.ts'
import { routes } from '#statistic/server/routes.ts'

export const feature: Feature = {
  name: 'statistic',
  routes,
  jobs,
  bufferedWriters,
}
