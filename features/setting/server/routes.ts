import { on, staff } from '#base/server/route.ts'
import * as contract from '#setting/contract.ts'
import * as desk from '#setting/server/staff.ts'

/** Once an hour; for what keeps the forum safe one shows it anew. */
const changes = staff('setting.change', { proved: true, within: 60 })

export const routes = [
  on(contract.listSettings, staff('setting.view'), ({ db }) => desk.list(db)),
  on(contract.settingHistory, staff('setting.view'), ({ db, input }) => desk.history(db, input.name)),
  on(contract.changeSettings, changes, async ({ db, viewer, input, from }) => {
    await desk.change(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.returnSetting, changes, async ({ db, viewer, input, from }) => {
    await desk.giveBack(db, viewer.staff, from, input)
    return {}
  }),
]
