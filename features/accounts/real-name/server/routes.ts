import { members, route } from '#base/server/http/route.ts'
import * as contract from '#real-name/contract.ts'
import * as check from '#real-name/server/check.ts'

export const routes = [
  route(contract.realName, members, ({ db, viewer }) => check.show(db, viewer)),
  route(contract.checkRealName, members, ({ db, viewer, prepared }) => check.save(db, viewer, prepared), {
    prepare: check.prepare,
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
  route(contract.withdrawRealName, members, ({ db, viewer }) => check.withdraw(db, viewer)),
]
