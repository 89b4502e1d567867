import type { Feature } from '#base/server/feature.ts'
import { routes } from '#staff/server/routes.ts'

export const feature: Feature = {
  name: 'staff',
  routes,
  auditSubjects: {
    staff: { table: 'staff', zh: 'account', en: 'account' },
    staffRole: { table: 'staff_role', zh: 'name_zh', en: 'name_en' },
  },
  memberColumns: {
    'staff.speaks_as': {
      archive: 'The account of staff belongs to the forum.',
      erase: 'Staff do not leave this way.',
      merge: 'A member of staff is not merged.',
    },
  },
}
