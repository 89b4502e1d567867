import type { Feature } from '#base/server/feature.ts'
import { archive } from '#role/server/archive-parts.ts'
import { routes } from '#role/server/routes.ts'

export const feature: Feature = {
  name: 'role',
  routes,
  auditSubjects: { role: { table: 'role', zh: 'name_zh', en: 'name_en' } },
  archive,
  memberColumns: {
    'role_holding.member_id': {
      archive: true,
      erase: 'delete',
      merge: 'Time that was bought is given by memberships; other roles stay with the closed account.',
    },
  },
}
