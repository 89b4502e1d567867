import type { Feature } from '#base/server/feature.ts'
import { archive } from '#help/server/archive-parts.ts'
import { routes } from '#help/server/routes.ts'

export const feature: Feature = {
  name: 'help',
  routes,
  archive,
  memberColumns: {
    'terms_agreement.member_id': {
      archive: true,
      erase: 'The agreement of the author of posts.',
      merge: 'The agreement of the closed account.',
    },
  },
}
