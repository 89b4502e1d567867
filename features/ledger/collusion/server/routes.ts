import { route, staff } from '#base/server/http/route.ts'
import { dismissHint, hints } from '#collusion/contract.ts'
import { dismiss, list } from '#collusion/server/list.ts'

export const routes = [
  route(hints, staff('wallet.view'), ({ db, viewer, input }) => list(db, viewer, input)),
  route(dismissHint, staff('wallet.adjust'), ({ db, viewer, input, client }) => dismiss(db, viewer, client, input)),
]
