import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import * as list from '#batch/server/list.ts'
import { ownAccount } from '#staff/contract.ts'

/** All staff may call it: the result is limited to kinds of items they may see, and an undo to actions they may take. */
const allStaff = staff(ownAccount)

export const routes = [
  route(contract.batches, allStaff, ({ db, viewer, input }) => list.list(db, viewer, input)),
  route(contract.batchesAtWork, allStaff, ({ db, viewer, input }) => list.running(db, viewer, input.kind)),
  route(contract.batchLeft, allStaff, ({ db, viewer, input, client }) => list.skippedFor(db, viewer, input.batchId, client.language)),
  route(contract.undoBatch, allStaff, ({ db, viewer, input, client }) => batch.undo(db, viewer, client, input)),
]
