import type { Feature } from '#base/server/feature.ts'
import { routes } from '#report/server/routes.ts'

export const feature: Feature = {
  name: 'report',
  routes,
}
