import type { Feature } from '#base/server/feature.ts'
import { membersMerged, postErased, threadMerged } from '#favourite/server/favourite.ts'
import { archive } from '#favourite/server/archive-parts.ts'
import { favouriteOfMember } from '#favourite/server/post-part.ts'
import { routes } from '#favourite/server/routes.ts'

export const feature: Feature = {
  name: 'favourite',
  routes,
  archive,
  postPart: favouriteOfMember,
  memberColumns: {
    'favourite.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'favourite_folder.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  postReferences: {
    'favourite.topic_id': { erased: 'moment', merged: 'moment' },
  },
  moments: { membersMerged, postErased, threadMerged },
}
