import type { Feature } from '#base/server/feature.ts'
import { membersMerged, postBecame } from '#hidden-part/server/hidden-part.ts'
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
    'hidden.opened_before.member_id': {
      archive: 'What was paid for in another program, before the forum moved here.',
      erase: 'Names no one; the part stays open for nobody else.',
      merge: 'moment',
    },
    'hidden.try.member_id': {
      archive: 'Counts of password attempts, kept for a day.',
      erase: 'Expires within a day.',
      merge: 'Expires within a day.',
    },
    'hidden.unlock.member_id': { archive: true, erase: 'A sale, which the books refer to.', merge: 'moment' },
  },
  postReferences: {
    'hidden.part.topic_id': {
      erased: { blanks: ['document', 'segments'] },
      moved: { stays: 'Null beside a comment.' },
      merged: { stays: 'The opening becomes a comment.' },
      became: 'moves',
    },
    'hidden.part.comment_id': { erased: { blanks: ['document', 'segments'] }, became: 'moves' },
    'hidden.waiting.topic_id': { erased: 'call', merged: { stays: 'A comment has no held edit of its parts.' } },
    'hidden.try.topic_id': { erased: { stays: 'Expires within a day.' }, merged: { stays: 'Expires within a day.' } },
  },
  moments: { membersMerged, postBecame },
}
