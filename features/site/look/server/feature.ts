import type { Feature } from '#base/server/feature.ts'
import { routes } from '#look/server/routes.ts'

export const feature: Feature = {
  name: 'look',
  routes,
}
