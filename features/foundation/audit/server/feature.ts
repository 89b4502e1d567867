import type { Feature } from '#base/server/feature.ts'
import { routes } from '#audit/server/routes.ts'

export const feature: Feature = {
  name: 'audit',
  routes,
}
