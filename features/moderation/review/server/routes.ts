import * as audit from '#audit/server/audit.ts'
import { members, route, staff } from '#base/server/http/route.ts'
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
  route(contract.reviewQueue, reviews, ({ db, viewer, input }) => queue.list(db, viewer, input)),
  route(contract.reviewTags, reviews, ({ db }) => queue.tags(db)),
  route(contract.openReview, reviews, ({ db, viewer, input }) => open(db, viewer, input.reviewId)),
  route(contract.claimReview, reviews, ({ db, viewer, input }) => queue.claim(db, viewer, input.reviewId)),
  route(contract.unclaimReview, reviews, ({ db, viewer, input }) => queue.unclaim(db, viewer.staff, input.reviewId)),
  route(contract.approveReview, reviews, async ({ db, viewer, input, client }) =>
    audit.note(db, viewer.staff, client, await decide.approve(db, viewer, input)),
  ),
  route(contract.rejectReview, reviews, async ({ db, viewer, input, client }) =>
    audit.note(db, viewer.staff, client, await decide.reject(db, viewer, input)),
  ),
  route(contract.decideReviews, reviews, ({ db, viewer, input, client }) => decideMany(db, viewer, client, input)),
  route(contract.editReview, reviews, ({ db, viewer, input, client }) => edit(db, viewer, client, input)),
  route(contract.removeReview, reviews, ({ db, viewer, input, client }) => decide.remove(db, viewer, client, input)),
  route(contract.decidedReviews, reviews, ({ db, viewer, input }) => decided.list(db, viewer, input)),
  route(contract.undoReview, reviews, ({ db, viewer, input, client }) => decided.undo(db, viewer, client, input)),
  route(contract.ownWaiting, members, ({ db, viewer, input }) => own.list(db, viewer, input)),
  route(contract.withdrawEdit, members, ({ db, viewer, input }) => own.withdraw(db, viewer, input), {
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
]
