import { anyone, route, staff } from '#base/server/http/route.ts'
import * as contract from '#link/contract.ts'
import * as link from '#link/server/link.ts'

const manages = staff('link.manage')

export const routes = [
  route(contract.friendLinks, anyone, ({ db }) => link.publicLinks(db), { cacheTags: () => ['links'] }),
  route(contract.linkList, manages, ({ db }) => link.list(db)),
  route(contract.addLink, manages, ({ db, viewer, input, client }) => link.add(db, viewer.staff, client, input)),
  route(contract.editLink, manages, ({ db, viewer, input, client }) => link.edit(db, viewer.staff, client, input)),
  route(contract.removeLink, manages, ({ db, viewer, input, client }) => link.remove(db, viewer.staff, client, input.linkId)),
]
