import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#role/staff-contract.ts'
import * as manage from '#role/server/manage.ts'

const manages = staff('role.manage')
const managesProved = staff('role.manage', { proved: true })

export const routes = [
  route(contract.roleList, manages, ({ db }) => manage.list(db)),
  route(contract.addRole, managesProved, ({ db, viewer, input, client }) => manage.add(db, viewer.staff, client, input)),
  route(contract.editRole, managesProved, ({ db, viewer, input, client }) => manage.edit(db, viewer.staff, client, input)),
  route(contract.makeRoleDefault, managesProved, ({ db, viewer, input, client }) =>
    manage.makeDefault(db, viewer.staff, client, input.roleId),
  ),
  route(contract.removeRole, managesProved, ({ db, viewer, input, client }) => manage.remove(db, viewer.staff, client, input)),
]
