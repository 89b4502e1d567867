import type { Feature } from '#base/server/feature.ts'
import { routes } from '#favourite/server/routes.ts'

export const feature: Feature = {
  name: 'favourite',
  routes,
}
