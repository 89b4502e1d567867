import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#hidden-part/server/hidden-part.ts'
import { archive } from '#hidden-part/server/archive-parts.ts'
import { bookChecks } from '#hidden-part/server/book-checks.ts'
import { jobs } from '#hidden-part/server/jobs.ts'
import { routes } from '#hidden-part/server/routes.ts'
import { refund, topicRefund } from '#hidden-part/server/refund.ts'

export const feature: Feature = {
  name: 'hidden-part',
  routes,
  jobs,
  bookChecks,
  moneyRequests: [refund, topicRefund],
  archive,
  memberColumns: {
    'hidden.try.member_id': {
      archive: 'Counts of password attempts, kept for a day.',
      erase: 'Expires within a day.',
      merge: 'Expires within a day.',
    },
    'hidden.unlock.member_id': { archive: true, erase: 'A sale, which the books refer to.', merge: 'moment' },
  },
  postColumns: {
    'hidden.part.comment_id': 'Sold parts are refunded, and their text goes.',
    'hidden.part.topic_id': 'Sold parts are refunded, and their text goes.',
    'hidden.waiting.topic_id': 'It goes in `hidden.erase`, as the program has no right to the table.',
  },
  moments: { membersMerged },
}
