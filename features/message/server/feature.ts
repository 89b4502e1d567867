import type { Feature } from '#base/server/feature.ts'
import { routes } from '#message/server/routes.ts'

export const feature: Feature = {
  name: 'message',
  routes,
}
