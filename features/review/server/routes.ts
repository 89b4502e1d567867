import * as audit from '#audit/server/audit.ts'
import { members, on, staff } from '#base/server/route.ts'
import * as contract from '#review/contract.ts'
import * as decide from '#review/server/decide.ts'
import * as decided from '#review/server/decided.ts'
import { decideMany } from '#review/server/decide-many.ts'
import { edit } from '#review/server/edit.ts'
import { open } from '#review/server/open.ts'
import * as own from '#review/server/own.ts'
import * as queue from '#review/server/queue.ts'

const reviews = staff('content.review')

export const routes = [
  on(contract.reviewQueue, reviews, ({ db, viewer, input }) => queue.list(db, viewer, input)),
  on(contract.reviewTags, reviews, ({ db }) => queue.tags(db)),
  on(contract.openReview, reviews, ({ db, viewer, input }) => open(db, viewer, input.reviewId)),
  on(contract.claimReview, reviews, ({ db, viewer, input }) => queue.claim(db, viewer, input.reviewId)),
  on(contract.unclaimReview, reviews, async ({ db, viewer, input }) => {
    await queue.unclaim(db, viewer.staff, input.reviewId)
    return {}
  }),
  on(contract.approveReview, reviews, async ({ db, viewer, input, from }) => {
    await audit.note(db, viewer.staff, from, await decide.approve(db, viewer, input))
    return {}
  }),
  on(contract.rejectReview, reviews, async ({ db, viewer, input, from }) => {
    await audit.note(db, viewer.staff, from, await decide.reject(db, viewer, input))
    return {}
  }),
  on(contract.decideReviews, reviews, ({ db, viewer, input, from }) => decideMany(db, viewer, from, input)),
  on(contract.editReview, reviews, ({ db, viewer, input, from }) => edit(db, viewer, from, input)),
  on(contract.removeReview, reviews, async ({ db, viewer, input, from }) => {
    await decide.remove(db, viewer, from, input)
    return {}
  }),
  on(contract.decidedReviews, reviews, ({ db, viewer, input }) => decided.list(db, viewer, input)),
  on(contract.undoReview, reviews, async ({ db, viewer, input, from }) => {
    await decided.undo(db, viewer, from, input)
    return {}
  }),
  on(contract.ownWaiting, members, ({ db, viewer, input }) => own.list(db, viewer, input)),
  on(
    contract.withdrawEdit,
    members,
    async ({ db, viewer, input }) => {
      await own.withdraw(db, viewer, input)
      return {}
    },
    { limits: [{ times: 30, seconds: 60, by: 'member' }] },
  ),
]
