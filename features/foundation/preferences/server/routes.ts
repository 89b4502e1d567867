import { members, route } from '#base/server/http/route.ts'
import { changePreferences, preferences } from '#preferences/contract.ts'
import * as its from '#preferences/server/preferences.ts'

export const routes = [
  route(preferences, members, ({ db, viewer }) => its.show(db, viewer)),
  route(changePreferences, members, ({ db, viewer, input }) => its.change(db, viewer, input), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
]
