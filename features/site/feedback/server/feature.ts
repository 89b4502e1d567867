import type { Feature } from '#base/server/feature.ts'
import { memberErased } from '#feedback/server/erased.ts'
import { archive } from '#feedback/server/archive-parts.ts'
import { routes } from '#feedback/server/routes.ts'

export const feature: Feature = {
  name: 'feedback',
  routes,
  archive,
  memberColumns: {
    'feedback.member_id': { archive: true, erase: 'moment', merge: 'move' },
  },
  moments: { memberErased },
}
