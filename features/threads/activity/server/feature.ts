import type { Feature } from '#base/server/feature.ts'
import { routes } from '#activity/server/routes.ts'

export const feature: Feature = {
  name: 'activity',
  routes,
}
