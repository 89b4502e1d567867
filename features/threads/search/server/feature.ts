import type { Feature } from '#base/server/feature.ts'
import { routes } from '#search/server/routes.ts'

export const feature: Feature = {
  name: 'search',
  routes,
}
