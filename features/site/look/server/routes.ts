import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#look/contract.ts'
import * as look from '#look/server/look.ts'

const changes = staff('setting.change', { proved: true, within: 60 })

export const routes = [
  route(contract.listLook, staff('setting.view'), ({ db }) => look.list(db)),
  route(contract.changeLook, changes, ({ db, viewer, client, input, prepared }) => look.change(db, viewer, client, input.which, prepared), {
    uploadBytes: look.maxUploadBytes,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
    prepare: look.storePicture,
  }),
  route(contract.returnLook, changes, ({ db, viewer, client, input }) => look.restore(db, viewer.staff, client, input)),
  route(contract.removeLook, changes, ({ db, viewer, client, input }) => look.show(db, viewer.staff, client, input.which, null)),
]
