import type { Feature } from '#base/server/feature.ts'
import { membersMerging, remove } from '#real-name/server/real-name.ts'
import { archive } from '#real-name/server/archive-parts.ts'
import { jobs } from '#real-name/server/jobs.ts'
import { routes } from '#real-name/server/routes.ts'
import { settingChecks } from '#real-name/server/setting-checks.ts'

export const feature: Feature = {
  name: 'real-name',
  routes,
  settingChecks,
  jobs,
  archive,
  memberColumns: {
    'real_name.member_id': { archive: true, erase: 'moment', merge: 'moment' },
  },
  moments: { membersMerging, memberErasing: remove },
}
