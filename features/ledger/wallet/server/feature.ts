import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#wallet/server/merge.ts'
import { archive } from '#wallet/server/archive-parts.ts'
import { adjustment } from '#wallet/server/adjust.ts'
import { ledgerChecks } from '#wallet/server/checks.ts'
import { jobs } from '#wallet/server/jobs.ts'
import { reversal } from '#wallet/server/reverse.ts'
import { routes } from '#wallet/server/routes.ts'

export const feature: Feature = {
  name: 'wallet',
  routes,
  jobs,
  bookChecks: ledgerChecks,
  moneyRequests: [adjustment, reversal],
  archive,
  memberColumns: {
    'money_request.member_id': { archive: true, erase: 'The books never change.', merge: 'The books never change.' },
    'reward.liker_id': {
      archive: 'The liker who gave points to somebody else; the like is there.',
      erase: 'The books never change.',
      merge: 'moment',
    },
    'reward.member_id': { archive: true, erase: 'The books never change.', merge: 'moment' },
  },
  postReferences: {
    'money_request.topic_id': { erased: { stays: 'The books never change.' }, merged: { stays: 'The books never change.' } },
    'money_request.input': { erased: { stays: 'The books never change.' } },
    'money_request.detail': { erased: { stays: 'The books never change.' } },
    'reward.post_id': {
      erased: { stays: 'The books never change.' },
      became: { stays: 'It was taken back from the former post and given for the new one.' },
    },
  },
  moments: { membersMerged },
}
