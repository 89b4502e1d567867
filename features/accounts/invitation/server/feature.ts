import type { Feature } from '#base/server/feature.ts'
import { membersMerging } from '#invitation/server/invitation.ts'
import { archive } from '#invitation/server/archive-parts.ts'
import { routes } from '#invitation/server/routes.ts'

export const feature: Feature = {
  name: 'invitation',
  routes,
  archive,
  memberColumns: {
    'invitation.member_id': { archive: true, erase: 'The record of who invited others.', merge: 'moment' },
    'invitation_use.member_id': { archive: true, erase: 'The record of who invited them.', merge: 'The record of who invited them.' },
  },
  moments: { membersMerging },
}
