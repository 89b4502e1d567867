import { members, route } from '#base/server/http/route.ts'
import * as contract from '#leaving/contract.ts'
import * as leaving from '#leaving/server/leaving.ts'

const limits = [{ times: 10, seconds: 60, by: 'member' }] as const

export const routes = [
  route(contract.leaving, members, ({ db, viewer }) => leaving.show(db, viewer)),
  route(
    contract.leave,
    members,
    async ({ db, viewer, input }) => {
      await leaving.leave(db, viewer, input)
      return {}
    },
    { limits: [...limits] },
  ),
  route(
    contract.stay,
    members,
    async ({ db, viewer }) => {
      await leaving.stay(db, viewer)
      return {}
    },
    { limits: [...limits] },
  ),
]
