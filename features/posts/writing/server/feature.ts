import type { Feature } from '#base/server/feature.ts'
import { postBecame } from '#writing/server/throttle.ts'
import { jobs } from '#writing/server/jobs.ts'

export const feature: Feature = {
  name: 'writing',
  jobs,
  memberColumns: {
    'post_fingerprint.member_id': {
      archive: 'Hashes of recent posts, kept for a day; the posts are there.',
      erase: 'delete',
      merge: 'delete',
    },
  },
  postReferences: {
    'post_fingerprint.post_id': { erased: 'call', became: 'moves' },
  },
  moments: { postBecame },
}
