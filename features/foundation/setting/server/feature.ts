import type { Feature } from '#base/server/feature.ts'
import { routes } from '#setting/server/routes.ts'
import { settingChecks } from '#setting/server/cross-checks.ts'

export const feature: Feature = {
  name: 'setting',
  routes,
  settingChecks,
}
