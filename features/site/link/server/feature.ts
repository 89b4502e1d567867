import type { Feature } from '#base/server/feature.ts'
import { routes } from '#link/server/routes.ts'

export const feature: Feature = {
  name: 'link',
  routes,
}
