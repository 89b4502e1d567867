import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import * as contract from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { OwnCase } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

/** A pending comment, made to be by this member of staff. */
async function waitingOf(forum: Forum, { id }: Staffer) {
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  const { commentId } = await mei.call(addComment, { topicId, body: says('Wait for me') })
  const { app } = forum.database
  const { speaks_as: author_id } = await app.selectFrom('staff').select('speaks_as').where('id', '=', id).executeTakeFirstOrThrow()
  await app.updateTable('comment').set({ author_id }).where('id', '=', commentId).execute()
  await app.updateTable('review').set({ author_id }).where('post_id', '=', commentId).execute()
}

test('staff cannot decide about their own post, or return it to the queue', async () => {
  const forum = await aForum()
  const [ann, ben] = [await aStaffer(forum), await aStaffer(forum)]
  await waitingOf(forum, ann)
  const { rows } = await ann.call(contract.reviewQueue, {})
  expect(rows).toMatchObject([{ mayDecide: false }])
  expect((await ben.call(contract.reviewQueue, {})).rows).toMatchObject([{ mayDecide: true }])
  const [reviewId, version] = [rows[0]?.id ?? '', rows[0]?.version ?? 0]
  const one = { reviewId, version }
  expect(await ann.isRefused(contract.claimReview, { reviewId }, OwnCase)).toBe(true)
  expect(await ann.isRefused(contract.approveReview, one, OwnCase)).toBe(true)
  expect(await ann.isRefused(contract.rejectReview, { ...one, reasonEn: 'No.', reasonZh: '' }, OwnCase)).toBe(true)
  expect(await ann.isRefused(contract.editReview, { ...one, body: says('Better so') }, OwnCase)).toBe(true)
  expect(await ann.isRefused(contract.removeReview, one, OwnCase)).toBe(true)
  expect(await ann.call(contract.decideReviews, { outcome: 'approve', reviews: [one] })).toMatchObject({ done: 0, left: [{ reviewId }] })

  await ben.call(contract.approveReview, one)
  expect((await ann.call(contract.decidedReviews, {})).rows).toMatchObject([{ canUndo: false }])
  expect(await ann.isRefused(contract.undoReview, { reviewId }, OwnCase)).toBe(true)
  await ben.call(contract.undoReview, { reviewId })
})

test('the only administrator of a forum decides about their own post', async () => {
  const forum = await aForum()
  const boss = await aStaffer(forum)
  await waitingOf(forum, boss)
  const [row] = (await boss.call(contract.reviewQueue, {})).rows
  expect(row).toMatchObject({ mayDecide: true })
  await boss.call(contract.approveReview, { reviewId: row?.id ?? '', version: row?.version ?? 0 })
})
