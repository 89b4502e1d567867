import type { Feature } from '#base/server/feature.ts'
import { routes } from '#importer/server/routes.ts'

const record = { stays: 'The id that the other program had for it: old addresses find that it is gone.' }

export const feature: Feature = {
  name: 'importer',
  routes,
  memberColumns: {
    'import.guest_id': {
      archive: 'An account of nobody, the author of posts without one.',
      erase: 'An account of nobody.',
      merge: 'An account of nobody.',
    },
    'import_credit.member_id': {
      archive: 'The entry of the ledger that it allows is there.',
      erase: 'The books never change.',
      merge: 'The books never change.',
    },
  },
  postReferences: {
    'import_row.topic_id': { erased: record, moved: record, merged: record },
    'import_row.new_id': { erased: record, moved: record, merged: record, became: record },
  },
}
