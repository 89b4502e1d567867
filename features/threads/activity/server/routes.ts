import * as contract from '#activity/contract.ts'
import * as activity from '#activity/server/activity.ts'
import { best } from '#activity/server/best.ts'
import { anyone, route } from '#base/server/http/route.ts'

export const routes = [
  route(contract.userDynamicList, anyone, ({ db, viewer, input }) => activity.list(db, viewer, input)),
  route(contract.best, anyone, ({ db, viewer, input }) => best(db, viewer, input.userId)),
]
