import { members, route } from '#base/server/http/route.ts'
import { changePreferences, preferences } from '#preferences/contract.ts'
import * as its from '#preferences/server/preferences.ts'

export const routes = [
  route(preferences, members, ({ db, viewer }) => its.show(db, viewer)),
  route(
    changePreferences,
    members,
    async ({ db, viewer, input }) => {
      await its.change(db, viewer, input)
      return {}
    },
    { limits: [{ times: 60, seconds: 60, by: 'member' }] },
  ),
]
