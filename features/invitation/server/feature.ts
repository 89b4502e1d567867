import type { Feature } from '#base/server/feature.ts'
import { routes } from '#invitation/server/routes.ts'

export const feature: Feature = {
  name: 'invitation',
  routes,
}
