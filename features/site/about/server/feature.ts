import type { Feature } from '#base/server/feature.ts'
import { routes } from '#about/server/routes.ts'

export const feature: Feature = {
  name: 'about',
  routes,
}
