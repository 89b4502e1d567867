import { members, on } from '#base/server/route.ts'
import { askForData, openData, personalData } from '#personal-data/contract.ts'
import * as its from '#personal-data/server/personal-data.ts'

export const routes = [
  on(personalData, members, ({ db, viewer }) => its.look(db, viewer)),
  on(openData, members, ({ db, viewer, input }) => its.open(db, viewer, input.file), {
    limits: [{ times: 20, seconds: 60, by: 'member' }],
    secret: true,
  }),
  on(
    askForData,
    members,
    async ({ db, viewer, from }) => {
      await its.ask(db, viewer, from)
      return {}
    },
    { limits: [{ times: 10, seconds: 60, by: 'member' }] },
  ),
]
