import { members, route } from '#base/server/http/route.ts'
import * as contract from '#real-name/contract.ts'
import * as check from '#real-name/server/check.ts'

export const routes = [
  route(contract.realName, members, ({ db, viewer }) => check.show(db, viewer)),
  route(
    contract.checkRealName,
    members,
    async ({ db, viewer, prepared }) => {
      await check.save(db, viewer, prepared)
      return {}
    },
    { prepare: check.prepare, limits: [{ times: 10, seconds: 60, by: 'member' }] },
  ),
  route(contract.withdrawRealName, members, async ({ db, viewer }) => {
    await check.withdraw(db, viewer)
    return {}
  }),
]
