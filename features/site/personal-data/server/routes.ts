import { members, route } from '#base/server/http/route.ts'
import { askForData, openData, personalData } from '#personal-data/contract.ts'
import * as its from '#personal-data/server/personal-data.ts'

export const routes = [
  route(personalData, members, ({ db, viewer }) => its.show(db, viewer)),
  route(openData, members, ({ db, viewer, input }) => its.open(db, viewer, input.file), {
    limits: [{ times: 20, seconds: 60, by: 'member' }],
    secret: true,
  }),
  route(askForData, members, ({ db, viewer, client }) => its.requestArchive(db, viewer, client), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
]
