import type { Feature } from '#base/server/feature.ts'
import { routes } from '#maintenance/server/routes.ts'

export const feature: Feature = {
  name: 'maintenance',
  routes,
}
