import type { Feature } from '#base/server/feature.ts'
import { routes } from '#setting/server/routes.ts'

export const feature: Feature = {
  name: 'setting',
  routes,
}
