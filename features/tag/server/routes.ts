import { anyone, members, on } from '#base/server/route.ts'
import * as contract from '#tag/contract.ts'
import { idsToPublishIn, list } from '#tag/server/list.ts'

export const routes = [
  on(contract.listTags, anyone, async ({ db, viewer }) => ({ tags: await list(db, viewer) }), { madeOf: () => ['tags', 'tagCounts'] }),
  on(contract.myTags, members, async ({ db, viewer }) => ({ publishIn: await idsToPublishIn(db, viewer) })),
]
