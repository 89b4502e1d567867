import type { Feature } from '#base/server/feature.ts'
import { routes } from '#role/server/routes.ts'

export const feature: Feature = {
  name: 'role',
  routes,
  auditSubjects: { role: { table: 'role', zh: 'name_zh', en: 'name_en' } },
}
