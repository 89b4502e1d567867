import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#user/server/user.ts'
import { archive } from '#user/server/archive-parts.ts'
import { routes } from '#user/server/routes.ts'

export const feature: Feature = {
  name: 'user',
  routes,
  auditSubjects: { member: { table: 'member', zh: 'account', en: 'account' } },
  archive,
  memberColumns: {
    'former_name.member_id': {
      archive: true,
      erase: 'Kept from others for a time, and shown on no page.',
      merge: 'Names that the closed account had.',
    },
    'taken_name.member_id': {
      archive: 'The names are in the profile.',
      erase: 'Given up as the erasing begins.',
      merge: 'Names that the closed account had.',
    },
    'written.member_id': { archive: 'Counts of posts that are there.', erase: 'A count of posts.', merge: 'moment' },
  },
  moments: { membersMerged },
}
