import type { Feature } from '#base/server/feature.ts'
import { memberErased, postErased, threadMerged } from '#follow/server/thread-changes.ts'
import { membersMerged } from '#follow/server/merge.ts'
import { archive } from '#follow/server/archive-parts.ts'
import { routes } from '#follow/server/routes.ts'

export const feature: Feature = {
  name: 'follow',
  routes,
  archive,
  memberColumns: {
    'blocking.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'blocking.other_id': { archive: 'The blocked member is not told.', erase: 'delete', merge: 'moment' },
    'followed_until.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'following.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerged, memberErased, postErased, threadMerged },
}
