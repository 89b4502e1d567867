import type { Feature } from '#base/server/feature.ts'
import { postBecame, postErased, threadMerged } from '#draft/server/moments.ts'
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
  postReferences: {
    'draft.place': { erased: 'moment', merged: 'moment', became: 'moves' },
  },
  moments: { postBecame, postErased, threadMerged },
}
