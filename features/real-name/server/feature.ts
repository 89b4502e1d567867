import type { Feature } from '#base/server/feature.ts'
import { membersMerging, remove } from '#real-name/server/real-name.ts'
import { archive } from '#real-name/server/archive-parts.ts'
import { jobs } from '#real-name/server/jobs.ts'
import { routes } from '#real-name/server/routes.ts'

export const feature: Feature = {
  name: 'real-name',
  routes,
  jobs,
  archive,
  memberColumns: {
    'real_name.member_id': { archive: true, erase: 'moment', merge: 'moment' },
  },
  moments: { membersMerging, memberErasing: remove },
}
