import { members, route } from '#base/server/http/route.ts'
import * as contract from '#leaving/contract.ts'
import * as leaving from '#leaving/server/leaving.ts'

const limits = [{ times: 10, seconds: 60, by: 'member' }] as const

export const routes = [
  route(contract.leaving, members, ({ db, viewer }) => leaving.show(db, viewer)),
  route(contract.leave, members, ({ db, viewer, input }) => leaving.leave(db, viewer, input), { limits: [...limits] }),
  route(contract.stay, members, ({ db, viewer }) => leaving.stay(db, viewer), { limits: [...limits] }),
]
