import type { Feature } from '#base/server/feature.ts'
import { archive } from '#leaving/server/archive-parts.ts'
import { jobs } from '#leaving/server/jobs.ts'
import { routes } from '#leaving/server/routes.ts'

export const feature: Feature = {
  name: 'leaving',
  routes,
  jobs,
  archive,
  memberColumns: {
    'account_deletion.member_id': {
      archive: true,
      erase: 'The erasure itself, until it is done.',
      merge: 'A closed account is not erased.',
    },
  },
}
