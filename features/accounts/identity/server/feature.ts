import type { Feature } from '#base/server/feature.ts'
import { membersMerging } from '#identity/server/identity.ts'
import { archive } from '#identity/server/archive-parts.ts'
import { jobs } from '#identity/server/jobs.ts'
import { routes } from '#identity/server/routes.ts'

export const feature: Feature = {
  name: 'identity',
  routes,
  jobs,
  archive,
  memberColumns: {
    'identity_request.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'member_identity.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerging },
}
