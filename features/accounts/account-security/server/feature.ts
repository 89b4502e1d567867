import type { Feature } from '#base/server/feature.ts'
import { routes } from '#account-security/server/routes.ts'

export const feature: Feature = {
  name: 'account-security',
  routes,
}
