import type { Feature } from '#base/server/feature.ts'
import { membersMerged, postBecame, postErased } from '#like/server/like.ts'
import { archive } from '#like/server/archive-parts.ts'
import { likesOfPosts } from '#like/server/post-part.ts'
import { routes } from '#like/server/routes.ts'

export const feature: Feature = {
  name: 'like',
  routes,
  archive,
  postPart: likesOfPosts,
  memberColumns: {
    'post_like.member_id': { archive: true, erase: 'A count on somebody else’s post.', merge: 'moment' },
  },
  postReferences: {
    'post_like.post_id': { erased: 'moment', became: 'moves' },
  },
  moments: { membersMerged, postBecame, postErased },
}
