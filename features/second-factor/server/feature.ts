import type { Feature } from '#base/server/feature.ts'
import { routes } from '#second-factor/server/routes.ts'

export const feature: Feature = {
  name: 'second-factor',
  routes,
}
