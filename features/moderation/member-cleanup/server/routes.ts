import { runSoon } from '#base/server/jobs/jobs.ts'
import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#member-cleanup/contract.ts'
import { previewClean } from '#member-cleanup/server/clean-preview.ts'
import * as clean from '#member-cleanup/server/clean.ts'
import * as jobs from '#member-cleanup/server/jobs.ts'
import { previewMerge } from '#member-cleanup/server/transfer.ts'
import * as merge from '#member-cleanup/server/merge.ts'

const cleans = staff('member.clean', { proved: true })

export const routes = [
  route(contract.cleanings, staff('member.view'), ({ db, input }) => clean.list(db, input)),
  route(contract.cleanLook, staff('member.clean'), ({ db, input }) => previewClean(db, input.memberId)),
  route(contract.clean, cleans, async ({ db, viewer, input, client }) => {
    const progress = await clean.begin(db, viewer.staff, client, input)
    if (progress.status === 'removing') await runSoon(db, jobs.clean)
    return progress
  }),
  route(contract.undoCleaning, cleans, async ({ db, viewer, input, client }) => {
    const progress = await clean.undo(db, viewer.staff, client, input.cleaningId)
    if (progress.status === 'restoring') await runSoon(db, jobs.clean)
    return progress
  }),
  route(contract.mergeLook, staff('member.cancel'), ({ db, input }) => previewMerge(db, input)),
  route(contract.mergeMembers, staff('member.cancel', { proved: true }), async ({ db, viewer, input, client }) => {
    await merge.begin(db, viewer.staff, client, input)
    await runSoon(db, jobs.clean)
  }),
]
