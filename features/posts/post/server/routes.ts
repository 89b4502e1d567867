import { atMost, members, route } from '#base/server/http/route.ts'
import { deletedList, restorePost } from '#post/contract.ts'
import { listDeleted, restore } from '#post/server/restore.ts'

export const routes = [
  route(deletedList, members, ({ db, viewer }) => listDeleted(db, viewer)),
  route(restorePost, members, ({ db, viewer, input }) => restore(db, viewer, input), { limits: atMost({ times: 30, seconds: 60 }) }),
]
