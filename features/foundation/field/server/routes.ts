import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#field/contract.ts'
import * as manage from '#field/server/manage.ts'

const changes = staff('setting.change')

export const routes = [
  route(contract.fieldList, staff('setting.view'), ({ db }) => manage.list(db)),
  route(contract.addField, changes, ({ db, viewer, input, client }) => manage.add(db, viewer.staff, client, input)),
  route(contract.editField, changes, ({ db, viewer, input, client }) => manage.edit(db, viewer.staff, client, input)),
  route(contract.removeField, changes, ({ db, viewer, input, client }) => manage.remove(db, viewer.staff, client, input.fieldId)),
]
