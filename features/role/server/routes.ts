import { on, staff } from '#base/server/route.ts'
import * as contract from '#role/contract.ts'
import * as manage from '#role/server/manage.ts'

const manages = staff('role.manage')
const managesProved = staff('role.manage', { proved: true })

export const routes = [
  on(contract.roleList, manages, ({ db }) => manage.list(db)),
  on(contract.addRole, managesProved, ({ db, viewer, input, from }) => manage.add(db, viewer.staff, from, input)),
  on(contract.editRole, managesProved, async ({ db, viewer, input, from }) => {
    await manage.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.makeRoleDefault, managesProved, async ({ db, viewer, input, from }) => {
    await manage.makeDefault(db, viewer.staff, from, input.roleId)
    return {}
  }),
  on(contract.removeRole, managesProved, async ({ db, viewer, input, from }) => {
    await manage.remove(db, viewer.staff, from, input)
    return {}
  }),
]
