import type { Feature } from '#base/server/feature.ts'
import { routes } from '#captcha/server/routes.ts'

export const feature: Feature = {
  name: 'captcha',
  routes,
}
