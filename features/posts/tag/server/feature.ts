import type { Feature } from '#base/server/feature.ts'
import { routes } from '#tag/server/routes.ts'

export const feature: Feature = {
  name: 'tag',
  routes,
  auditSubjects: { tag: { table: 'tag', zh: 'name_zh', en: 'name_en' } },
}
