import { on, staff } from '#base/server/route.ts'
import * as desk from '#membership/gift-contract.ts'
import * as tasks from '#membership/server/gift-tasks.ts'

const manages = staff('membership.manage')

export const giftRoutes = [
  on(desk.giftTasks, manages, ({ db }) => tasks.list(db)),
  on(desk.addGiftTask, manages, ({ db, viewer, input, from }) => tasks.add(db, viewer.staff, from, input), { demandsKey: true }),
  on(desk.editGiftTask, manages, async ({ db, viewer, input, from }) => {
    await tasks.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(desk.removeGiftTask, manages, async ({ db, viewer, input, from }) => {
    await tasks.remove(db, viewer.staff, from, input.taskId)
    return {}
  }),
  on(desk.previewGiftTask, manages, ({ db, input }) => tasks.preview(db, input), { longRunning: true }),
  on(desk.gifts, manages, ({ db, input }) => tasks.given(db, input)),
]
