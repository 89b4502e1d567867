import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#look/contract.ts'
import * as look from '#look/server/look.ts'

const changes = staff('setting.change', { proved: true, within: 60 })

export const routes = [
  route(contract.listLook, staff('setting.view'), ({ db }) => look.list(db)),
  route(
    contract.changeLook,
    changes,
    async ({ db, viewer, client, input, prepared }) => {
      await look.change(db, viewer, client, input.which, prepared)
      return {}
    },
    { uploadBytes: look.maxUploadBytes, limits: [{ times: 30, seconds: 60, by: 'member' }], prepare: look.storePicture },
  ),
  route(contract.returnLook, changes, async ({ db, viewer, client, input }) => {
    await look.restore(db, viewer.staff, client, input)
    return {}
  }),
  route(contract.removeLook, changes, async ({ db, viewer, client, input }) => {
    await look.show(db, viewer.staff, client, input.which, null)
    return {}
  }),
]
