import type { Feature } from '#base/server/feature.ts'
import { archive } from '#field/server/archive-parts.ts'
import { routes } from '#field/server/routes.ts'

export const feature: Feature = {
  name: 'field',
  routes,
  auditSubjects: { field: { table: 'field', zh: 'name_zh', en: 'name_en' } },
  archive,
  memberColumns: {
    'member_field.member_id': { archive: true, erase: 'delete', merge: 'The profile of the closed account.' },
  },
}
