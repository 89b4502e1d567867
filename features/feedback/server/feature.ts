import type { Feature } from '#base/server/feature.ts'
import { routes } from '#feedback/server/routes.ts'

export const feature: Feature = {
  name: 'feedback',
  routes,
}
