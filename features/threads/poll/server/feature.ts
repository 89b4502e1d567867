import type { Feature } from '#base/server/feature.ts'
import { archive } from '#poll/server/archive-parts.ts'
import { jobs } from '#poll/server/jobs.ts'
import { routes } from '#poll/server/routes.ts'
import { streams } from '#poll/server/streams.ts'
import { postErased, postsMoved, postsUnpublished, threadLocked } from '#poll/server/thread-changes.ts'
import { pollOfThread } from '#poll/server/thread-part.ts'
import { memberErased, membersMerged } from '#poll/server/voters.ts'

export const feature: Feature = {
  name: 'poll',
  routes,
  streams,
  jobs,
  archive,
  threadPart: pollOfThread,
  memberColumns: {
    'poll_ballot.member_id': { archive: true, erase: 'moment', merge: 'moment' },
  },
  postReferences: {
    'poll.topic_id': { erased: 'moment', merged: { stays: 'A comment has no poll: it stays with the closed thread.' } },
  },
  moments: { membersMerged, memberErased, postErased, postsUnpublished, postsMoved, threadLocked },
}
