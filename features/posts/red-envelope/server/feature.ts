import type { Feature } from '#base/server/feature.ts'
import { memberErased } from '#red-envelope/server/red-envelope.ts'
import { archive } from '#red-envelope/server/archive-parts.ts'
import { bookChecks } from '#red-envelope/server/book-checks.ts'
import { jobs, payments } from '#red-envelope/server/jobs.ts'
import { streams } from '#red-envelope/server/streams.ts'
import { envelopeOfComment } from '#red-envelope/server/post-part.ts'
import { envelopeOfThread } from '#red-envelope/server/thread-part.ts'
import { routes } from '#red-envelope/server/routes.ts'

export const feature: Feature = {
  name: 'red-envelope',
  routes,
  streams,
  jobs,
  bookChecks,
  promptWriters: [payments],
  archive,
  threadPart: envelopeOfThread,
  postPart: envelopeOfComment,
  memberColumns: {
    'red_envelope.giver_id': { archive: true, erase: 'The books never change; the greeting goes.', merge: 'The books never change.' },
    'red_envelope.receiver_id': { archive: true, erase: 'The books never change.', merge: 'The books never change.' },
    'red_envelope_share.member_id': { archive: true, erase: 'The books never change.', merge: 'The books never change.' },
  },
  postReferences: {
    'red_envelope.topic_id': {
      erased: { stays: 'The books never change; the envelope ends.' },
      merged: { stays: 'It goes with the opening, which becomes a comment.' },
      became: 'moves',
    },
    'red_envelope.comment_id': { erased: { stays: 'The books never change; the envelope ends.' }, became: 'moves' },
  },
  moments: { memberErased },
}
