import type { Feature } from '#base/server/feature.ts'
import { routes } from '#user/server/routes.ts'

export const feature: Feature = {
  name: 'user',
  routes,
  auditSubjects: { member: { table: 'member', zh: 'account', en: 'account' } },
}
