import type { Feature } from '#base/server/feature.ts'
import { memberErased, postErased, threadMerged } from '#follow/server/thread-changes.ts'
import { membersMerged } from '#follow/server/merge.ts'
import { archive } from '#follow/server/archive-parts.ts'
import { followsOfMember } from '#follow/server/post-part.ts'
import { routes } from '#follow/server/routes.ts'

export const feature: Feature = {
  name: 'follow',
  routes,
  archive,
  postPart: followsOfMember,
  memberColumns: {
    'member_block.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'member_block.other_id': { archive: 'The blocked member is not told.', erase: 'delete', merge: 'moment' },
    'follow_progress.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'follow.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  postReferences: {
    'follow.of_id': { erased: 'moment', merged: 'moment' },
  },
  moments: { membersMerged, memberErased, postErased, threadMerged },
}
