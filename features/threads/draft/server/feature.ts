import type { Feature } from '#base/server/feature.ts'
import { postErased } from '#draft/server/erased.ts'
import { archive } from '#draft/server/archive-parts.ts'
import { jobs } from '#draft/server/jobs.ts'
import { routes } from '#draft/server/routes.ts'

export const feature: Feature = {
  name: 'draft',
  routes,
  jobs,
  archive,
  memberColumns: {
    'draft.member_id': { archive: true, erase: 'delete', merge: 'delete' },
  },
  moments: { postErased },
}
