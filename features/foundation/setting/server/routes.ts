import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#setting/staff-contract.ts'
import * as desk from '#setting/server/staff.ts'

/** Requires a password prompt within the last hour, for settings that protect the forum. */
const changes = staff('setting.change', { proved: true, within: 60 })

export const routes = [
  route(contract.listSettings, staff('setting.view'), ({ db }) => desk.list(db)),
  route(contract.settingHistory, staff('setting.view'), ({ db, input }) => desk.history(db, input.name)),
  route(contract.changeSettings, changes, ({ db, viewer, input, client }) => desk.change(db, viewer.staff, client, input)),
  route(contract.returnSetting, changes, ({ db, viewer, input, client }) => desk.restoreDefault(db, viewer.staff, client, input)),
]
