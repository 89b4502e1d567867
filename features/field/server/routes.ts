import { on, staff } from '#base/server/route.ts'
import * as contract from '#field/contract.ts'
import * as manage from '#field/server/manage.ts'

const changes = staff('setting.change')

export const routes = [
  on(contract.fieldList, staff('setting.view'), ({ db }) => manage.list(db)),
  on(contract.addField, changes, ({ db, viewer, input, from }) => manage.add(db, viewer.staff, from, input)),
  on(contract.editField, changes, async ({ db, viewer, input, from }) => {
    await manage.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeField, changes, async ({ db, viewer, input, from }) => {
    await manage.remove(db, viewer.staff, from, input.fieldId)
    return {}
  }),
]
