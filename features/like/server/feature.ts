import type { Feature } from '#base/server/feature.ts'
import { routes } from '#like/server/routes.ts'

export const feature: Feature = {
  name: 'like',
  routes,
}
