import { on, staff } from '#base/server/route.ts'
import * as contract from '#look/contract.ts'
import * as look from '#look/server/look.ts'

const changes = staff('setting.change', { proved: true, within: 60 })

export const routes = [
  on(contract.listLook, staff('setting.view'), ({ db }) => look.list(db)),
  on(
    contract.changeLook,
    changes,
    async ({ db, viewer, from, input, prepared }) => {
      await look.change(db, viewer, from, input.which, prepared)
      return {}
    },
    { uploadBytes: look.largestBytes, limits: [{ times: 30, seconds: 60, by: 'member' }], prepare: look.keep },
  ),
  on(contract.returnLook, changes, async ({ db, viewer, from, input }) => {
    await look.goBack(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeLook, changes, async ({ db, viewer, from, input }) => {
    await look.show(db, viewer.staff, from, input.which, null)
    return {}
  }),
]
