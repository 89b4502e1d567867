import type { Feature } from '#base/server/feature.ts'
import { archive } from '#bounty/server/archive-parts.ts'
import { bookChecks } from '#bounty/server/book-checks.ts'
import { jobs } from '#bounty/server/jobs.ts'
import { routes } from '#bounty/server/routes.ts'
import { bountyChange } from '#bounty/server/staff.ts'

export const feature: Feature = {
  name: 'bounty',
  routes,
  jobs,
  bookChecks,
  moneyRequests: [bountyChange],
  archive,
  memberColumns: {
    'bounty_share.member_id': { archive: true, erase: 'The books never change.', merge: 'Transferred with the answer.' },
  },
  postReferences: {
    'bounty.topic_id': { erased: { stays: 'The books never change.' }, merged: { stays: 'It ends as its question does.' } },
    'bounty_share.comment_id': { erased: { stays: 'The books never change.' }, became: { stays: 'The books never change.' } },
  },
}
