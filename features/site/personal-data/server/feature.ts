import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#personal-data/server/jobs.ts'
import { routes } from '#personal-data/server/routes.ts'

export const feature: Feature = {
  name: 'personal-data',
  routes,
  jobs,
  memberColumns: {
    'data_download.member_id': {
      archive: 'The archives themselves.',
      erase: 'Goes with its archives.',
      merge: 'Archives are of one account, and expire.',
    },
  },
}
