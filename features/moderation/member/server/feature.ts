import type { Feature } from '#base/server/feature.ts'
import { archive } from '#member/server/archive-parts.ts'
import { routes } from '#member/server/routes.ts'
import { bulkTargets } from '#member/server/bulk-actions.ts'

export const feature: Feature = {
  name: 'member',
  routes,
  bulkTargets,
  archive,
  memberColumns: {
    'registration_request.member_id': { archive: true, erase: 'A decision of staff.', merge: 'A decision of staff.' },
    'member.merged_into': {
      archive: 'The other account belongs to somebody else.',
      erase: 'A decision of staff.',
      merge: 'A decision of staff.',
    },
    'member_ban.member_id': {
      archive: true,
      erase: 'A decision of staff.',
      merge: 'The longer bans are given to the other member as the merging begins.',
    },
    'member_note.member_id': { archive: 'Notes of staff for each other.', erase: 'delete', merge: 'move' },
  },
}
