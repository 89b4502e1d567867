import type { Feature } from '#base/server/feature.ts'
import { remove } from '#preferences/server/preferences.ts'
import { archive } from '#preferences/server/archive-parts.ts'
import { routes } from '#preferences/server/routes.ts'

export const feature: Feature = {
  name: 'preferences',
  routes,
  archive,
  memberColumns: {
    'preference.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  moments: { membersMerging: (tx, { from }) => remove(tx, from) },
}
