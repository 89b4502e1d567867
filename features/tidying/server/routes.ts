import { hurry } from '#base/server/jobs.ts'
import { on, staff } from '#base/server/route.ts'
import * as contract from '#tidying/contract.ts'
import { lookAt } from '#tidying/server/clean-look.ts'
import * as clean from '#tidying/server/clean.ts'
import * as jobs from '#tidying/server/jobs.ts'
import { look } from '#tidying/server/give-over.ts'
import * as merge from '#tidying/server/merge.ts'

const cleans = staff('member.clean', { proved: true })

export const routes = [
  on(contract.cleanings, staff('member.view'), ({ db, input }) => clean.list(db, input)),
  on(contract.cleanLook, staff('member.clean'), ({ db, input }) => lookAt(db, input.memberId)),
  on(contract.clean, cleans, async ({ db, viewer, input, from }) => {
    const progress = await clean.begin(db, viewer.staff, from, input)
    if (progress.status === 'removing') await hurry(db, jobs.clean)
    return progress
  }),
  on(contract.undoCleaning, cleans, async ({ db, viewer, input, from }) => {
    const progress = await clean.undo(db, viewer.staff, from, input.cleaningId)
    if (progress.status === 'restoring') await hurry(db, jobs.clean)
    return progress
  }),
  on(contract.mergeLook, staff('member.cancel'), ({ db, input }) => look(db, input)),
  on(contract.mergeMembers, staff('member.cancel', { proved: true }), async ({ db, viewer, input, from }) => {
    await merge.begin(db, viewer.staff, from, input)
    await hurry(db, jobs.clean)
    return {}
  }),
]
