import { anyone, on, staff } from '#base/server/route.ts'
import * as contract from '#link/contract.ts'
import * as link from '#link/server/link.ts'

const manages = staff('link.manage')

export const routes = [
  on(contract.friendLinks, anyone, ({ db }) => link.shown(db), { cacheTags: () => ['links'] }),
  on(contract.linkList, manages, ({ db }) => link.list(db)),
  on(contract.addLink, manages, ({ db, viewer, input, from }) => link.add(db, viewer.staff, from, input)),
  on(contract.editLink, manages, async ({ db, viewer, input, from }) => {
    await link.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeLink, manages, async ({ db, viewer, input, from }) => {
    await link.remove(db, viewer.staff, from, input.linkId)
    return {}
  }),
]
