import type { Feature } from '#base/server/feature.ts'
import { membersMerging, remove, revokePendingCredentials } from '#contact/server/contact.ts'
import { archive } from '#contact/server/archive-parts.ts'
import { routes } from '#contact/server/routes.ts'
import { addressesOf } from '#contact/server/contact.ts'

export const feature: Feature = {
  name: 'contact',
  routes,
  memberAddresses: addressesOf,
  archive,
  credentials: [
    {
      tables: ['recovery_ticket', 'contact_proof', 'login_ticket', 'challenge'],
      end: (tx, { memberId }) => revokePendingCredentials(tx, memberId),
    },
    { tables: ['take_back'], stays: 'The owner’s own link against a thief, who may have caused the ending. A closed account loses it.' },
    { tables: ['contact'], stays: 'An address gets codes only for its owner, who changes it.' },
  ],
  memberColumns: {
    'contact.member_id': { archive: true, erase: 'moment', merge: 'moment' },
    'take_back.member_id': {
      archive: 'Secret links, valid for two weeks; the addresses are there.',
      erase: 'delete',
      merge: 'Links of the closed account.',
    },
  },
  moments: { membersMerging, memberErasing: remove },
}
