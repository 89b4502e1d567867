import type { Feature } from '#base/server/feature.ts'
import { routes } from '#member/server/routes.ts'
import { bulkTargets } from '#member/server/at-once.ts'

export const feature: Feature = {
  name: 'member',
  routes,
  bulkTargets,
}
