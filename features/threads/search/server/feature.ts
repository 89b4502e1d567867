import type { Feature } from '#base/server/feature.ts'
import { routes } from '#search/server/routes.ts'

const index = { stays: 'The index follows the post within seconds.' }

export const feature: Feature = {
  name: 'search',
  routes,
  postReferences: {
    'search_any.source_id': { erased: index, became: index },
    'search_change.source_id': { erased: index, became: index },
    'search_entry.topic_id': { erased: index, moved: index, merged: index },
  },
}
