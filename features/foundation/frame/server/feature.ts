import type { Feature } from '#base/server/feature.ts'
import { routes } from '#frame/server/routes.ts'

export const feature: Feature = {
  name: 'frame',
  routes,
}
