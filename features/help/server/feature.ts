import type { Feature } from '#base/server/feature.ts'
import { routes } from '#help/server/routes.ts'

export const feature: Feature = {
  name: 'help',
  routes,
}
