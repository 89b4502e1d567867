import { anyone, route } from '#base/server/http/route.ts'
import * as contract from '#search/contract.ts'
import { engineInUse } from '#search/server/engine-in-use.ts'
import { entriesTag } from '#search/server/indexer.ts'
import { search } from '#search/server/search.ts'
import { suggest } from '#search/server/suggest.ts'

// Every removal of a post invalidates `index`, so that cached results drop it at the same moment.
const cacheTags = () => [entriesTag, 'index', 'tags']

export const routes = [
  route(contract.search, anyone, ({ db, viewer, input }) => search(db, engineInUse(db), viewer, input), {
    cacheTags,
    limits: [
      { times: 10, seconds: 60, by: 'visitor' },
      { times: 30, seconds: 60, by: 'member' },
    ],
  }),
  route(contract.suggest, anyone, ({ db, viewer, input }) => suggest(db, engineInUse(db), viewer, input.keyword), {
    cacheTags,
    limits: [
      { times: 60, seconds: 60, by: 'visitor' },
      { times: 120, seconds: 60, by: 'member' },
    ],
  }),
]
