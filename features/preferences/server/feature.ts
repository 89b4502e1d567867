import type { Feature } from '#base/server/feature.ts'
import { routes } from '#preferences/server/routes.ts'

export const feature: Feature = {
  name: 'preferences',
  routes,
}
