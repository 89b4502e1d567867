import type { Feature } from '#base/server/feature.ts'
import { forgetDevice, membersMerging } from '#second-factor/server/second-factor.ts'
import { archive } from '#second-factor/server/archive-parts.ts'
import { routes } from '#second-factor/server/routes.ts'

export const feature: Feature = {
  name: 'second-factor',
  routes,
  archive,
  credentials: [
    {
      tables: ['trusted_device'],
      end: (tx, { memberId }) => forgetDevice(tx, memberId, null),
      // Logging out elsewhere leaves the browsers that the member trusts; the page of two-step verification forgets them.
      endsWhen: ['password changed', 'deactivated', 'ended by staff'],
    },
    { tables: ['passkey'], stays: 'A way to log in, which its owner or staff remove. Taking the account back removes those of late.' },
    { tables: ['second_factor', 'recovery_code'], stays: 'They protect the account beside its password, and get nobody in alone.' },
    { tables: ['passkey_challenge'], stays: 'It expires within minutes, and is answered with a passkey.' },
  ],
  memberColumns: {
    'passkey.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'passkey_challenge.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'recovery_code.member_id': { archive: 'Hashes of codes that log in.', erase: 'delete', merge: 'moment' },
    'second_factor.member_id': { archive: 'A secret shared by the app and the forum.', erase: 'delete', merge: 'moment' },
    'trusted_device.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerging },
}
