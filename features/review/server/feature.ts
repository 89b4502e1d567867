import type { Feature } from '#base/server/feature.ts'
import { routes } from '#review/server/routes.ts'
import { bulkTargets } from '#review/server/at-once.ts'

export const feature: Feature = {
  name: 'review',
  routes,
  bulkTargets,
}
