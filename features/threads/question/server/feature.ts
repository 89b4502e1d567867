import type { Feature } from '#base/server/feature.ts'
import { routes } from '#question/server/routes.ts'

export const feature: Feature = {
  name: 'question',
  routes,
}
