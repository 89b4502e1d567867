import { on, staff } from '#base/server/route.ts'
import { dismissHint, hints } from '#collusion/contract.ts'
import { dismiss, list } from '#collusion/server/list.ts'

export const routes = [
  on(hints, staff('wallet.view'), ({ db, viewer, input }) => list(db, viewer, input)),
  on(dismissHint, staff('wallet.adjust'), async ({ db, viewer, input, from }) => {
    await dismiss(db, viewer, from, input)
    return {}
  }),
]
