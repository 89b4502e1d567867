import { userDynamicList } from '#activity/contract.ts'
import * as activity from '#activity/server/activity.ts'
import { anyone, on } from '#base/server/route.ts'

export const routes = [on(userDynamicList, anyone, ({ db, viewer, input }) => activity.list(db, viewer, input))]
