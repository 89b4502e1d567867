import { doneAtMost, members, on } from '#base/server/route.ts'
import { deletedList, restorePost } from '#post/contract.ts'
import { deletedBy, restore } from '#post/server/restore.ts'

export const routes = [
  on(deletedList, members, ({ db, viewer }) => deletedBy(db, viewer)),
  on(
    restorePost,
    members,
    async ({ db, viewer, input }) => {
      await restore(db, viewer, input)
      return {}
    },
    { limits: doneAtMost({ times: 30, seconds: 60 }) },
  ),
]
