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
  credentials: [
    {
      tables: ['member_identity'],
      stays: 'A way to log in, which its owner or staff remove. Taking the account back removes those of late.',
    },
    { tables: ['identity_request'], stays: 'It expires within minutes, and links nothing without a session of its member.' },
    { tables: ['identity_ticket'], stays: 'It names a person of another site, and links nothing without a session or a password.' },
  ],
  memberColumns: {
    'identity_request.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'member_identity.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerging },
}
