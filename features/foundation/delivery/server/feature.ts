import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#delivery/server/jobs.ts'
import { routes } from '#delivery/server/routes.ts'
import { settingChecks } from '#delivery/server/setting-checks.ts'

export const feature: Feature = {
  name: 'delivery',
  routes,
  settingChecks,
  jobs,
}
