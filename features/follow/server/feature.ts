import type { Feature } from '#base/server/feature.ts'
import { routes } from '#follow/server/routes.ts'

export const feature: Feature = {
  name: 'follow',
  routes,
}
