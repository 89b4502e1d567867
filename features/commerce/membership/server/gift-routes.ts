import { route, staff } from '#base/server/http/route.ts'
import * as desk from '#membership/gift-contract.ts'
import * as tasks from '#membership/server/gift-tasks.ts'

const manages = staff('membership.manage')

export const giftRoutes = [
  route(desk.giftTasks, manages, ({ db }) => tasks.list(db)),
  route(desk.addGiftTask, manages, ({ db, viewer, input, client }) => tasks.add(db, viewer.staff, client, input), {
    requiresIdempotencyKey: true,
  }),
  route(desk.editGiftTask, manages, ({ db, viewer, input, client }) => tasks.edit(db, viewer.staff, client, input)),
  route(desk.removeGiftTask, manages, ({ db, viewer, input, client }) => tasks.remove(db, viewer.staff, client, input.taskId)),
  route(desk.previewGiftTask, manages, ({ db, input }) => tasks.preview(db, input), { longRunning: true }),
  route(desk.gifts, manages, ({ db, input }) => tasks.recipients(db, input)),
]
