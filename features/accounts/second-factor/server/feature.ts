import type { Feature } from '#base/server/feature.ts'
import { membersMerging } from '#second-factor/server/second-factor.ts'
import { archive } from '#second-factor/server/archive-parts.ts'
import { routes } from '#second-factor/server/routes.ts'

export const feature: Feature = {
  name: 'second-factor',
  routes,
  archive,
  memberColumns: {
    'passkey.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'passkey_challenge.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'recovery_code.member_id': { archive: 'Hashes of codes that log in.', erase: 'delete', merge: 'moment' },
    'second_factor.member_id': { archive: 'A secret shared by the app and the forum.', erase: 'delete', merge: 'moment' },
    'trusted_device.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerging },
}
