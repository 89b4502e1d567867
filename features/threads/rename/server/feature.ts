import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#rename/server/jobs.ts'

export const feature: Feature = {
  name: 'rename',
  jobs,
  memberColumns: {
    'rename.member_id': {
      archive: 'Names that are not yet current in every text.',
      erase: 'The new name itself, until all texts have it.',
      merge: 'The new name itself, until all texts have it.',
    },
  },
}
