import type { Feature } from '#base/server/feature.ts'
import { routes } from '#field/server/routes.ts'

export const feature: Feature = {
  name: 'field',
  routes,
  auditSubjects: { field: { table: 'field', zh: 'name_zh', en: 'name_en' } },
}
