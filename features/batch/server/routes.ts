import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import * as list from '#batch/server/list.ts'
import { own } from '#staff/contract.ts'

/** All staff may call it: the result is limited to kinds of items they may see, and an undo to actions they may take. */
const anybody = staff(own)

export const routes = [
  route(contract.batches, anybody, ({ db, viewer, input }) => list.list(db, viewer, input)),
  route(contract.batchesAtWork, anybody, ({ db, viewer, input }) => list.atWork(db, viewer, input.kind)),
  route(contract.batchLeft, anybody, ({ db, viewer, input, client }) => list.leftFor(db, viewer, input.batchId, client.language)),
  route(contract.undoBatch, anybody, ({ db, viewer, input, client }) => batch.undo(db, viewer, client, input)),
]
