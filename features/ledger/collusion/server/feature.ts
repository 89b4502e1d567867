import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#collusion/server/jobs.ts'
import { routes } from '#collusion/server/routes.ts'

export const feature: Feature = {
  name: 'collusion',
  routes,
  jobs,
  memberColumns: {
    'collusion_flow.from_id': {
      archive: 'Daily sums of payments and likes that are in the archive.',
      erase: 'delete',
      merge: 'Sums of past days stay with the closed account.',
    },
    'collusion_flow.to_id': {
      archive: 'Daily sums of payments and likes that are in the archive.',
      erase: 'delete',
      merge: 'Sums of past days stay with the closed account.',
    },
  },
}
