import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { batches, undoBatch, UndoneAlready } from '#batch/contract.ts'
import * as comments from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let topicId: string

const listed = () => forum.visitor().call(comments.listComments, { topicId })
const reason = { reasonZh: '广告', reasonEn: '' }

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
})

beforeEach(async () => {
  mei = await forum.member()
  topicId = await aTopic(mei, await aTag(forum.database))
})

async function waiting(many: number) {
  for (let count = 0; count < many; count++) await aComment(mei, topicId)
  const { rows } = await chief.call(contract.reviewQueue, { size: 200 })
  return rows.slice(-many).map(({ id: reviewId, version }) => ({ reviewId, version }))
}

test('several posts are approved at once', async () => {
  const reviews = await waiting(3)
  const answer = await chief.call(contract.decideReviews, { outcome: 'approve', reviews: [...reviews, ...reviews] })
  expect(answer).toMatchObject({ done: 3, left: [], batch: { kind: 'review', action: 'review.approve', done: 3, canUndo: true } })
  expect((await listed()).total).toBe(3)
})

test('several posts are rejected with one reason, which is needed', async () => {
  const reviews = await waiting(2)
  expect(await chief.isRefused(contract.decideReviews, { outcome: 'reject', reviews }, contract.ReasonNeeded)).toBe(true)
  expect(await chief.call(contract.decideReviews, { outcome: 'reject', reviews, ...reason })).toMatchObject({ done: 2, left: [] })
  const { posts } = await mei.call(contract.ownWaiting, { topicId })
  expect(posts.map(({ rejected }) => rejected)).toEqual([
    { zh: '广告', en: '广告' },
    { zh: '广告', en: '广告' },
  ])
})

test('a post that was edited, claimed by another or decided is left and named, and the rest is decided', async () => {
  const [fine, anew, others, settled] = await waiting(4)
  if (!fine || !anew || !others || !settled) throw new Error('Four wait')
  const helper = await aStaffer(forum, ['content.review'])
  await helper.call(contract.claimReview, { reviewId: others.reviewId })
  await helper.call(contract.approveReview, settled)
  const reviews = [settled, others, { ...anew, version: anew.version + 1 }, fine]
  const { done, left } = await chief.call(contract.decideReviews, { outcome: 'approve', reviews })
  expect([done, left.map(({ reviewId }) => reviewId)]).toEqual([1, [anew, others, settled].map(({ reviewId }) => reviewId)])
  expect(left.find(({ reviewId }) => reviewId === others.reviewId)?.why).toContain(helper.account)
  expect(await helper.isRefused(contract.approveReview, fine, contract.SettledAlready)).toBe(true)
})

test('deciding takes the right to it', async () => {
  const reviews = await waiting(1)
  const helper = await aStaffer(forum, ['content.view'])
  expect((await helper.tryCall(contract.decideReviews, { outcome: 'approve', reviews })).status).toBe(403)
})

describe('several posts that were decided about at once', () => {
  const decidedNow = async (batchId: string) => (await chief.call(contract.decidedReviews, { batchId })).rows

  test('wait again together with the undo, except those answered or decided anew since', async () => {
    const reviews = await waiting(4)
    const { batch } = await chief.call(contract.decideReviews, { outcome: 'approve', reviews })
    const batchId = batch?.id ?? ''
    const [answered, anew, ...others] = await decidedNow(batchId)
    if (!answered || !anew) throw new Error('Four are decided about')
    await aReply(mei, answered.postId)
    await chief.call(contract.undoReview, { reviewId: anew.id })
    const now = (await chief.call(contract.reviewQueue, { size: 200 })).rows.find(({ id }) => id === anew.id)
    await chief.call(contract.approveReview, { reviewId: anew.id, version: now?.version ?? 0 })

    const standing = async () => (await listed()).comments.filter(({ isDeleted }) => !isDeleted).length
    const before = await standing()
    const { left, batch: undone } = await chief.call(undoBatch, { batchId })
    expect(left.map(({ id }) => id).toSorted()).toEqual([answered.id, anew.id].toSorted())
    expect(undone).toMatchObject({ state: 'undone', undone: 2, left: 2 })
    expect(await standing()).toBe(before - 2)
    const queued = (await chief.call(contract.reviewQueue, { size: 200 })).rows.map(({ id }) => id)
    expect(queued).toEqual(expect.arrayContaining(others.map(({ id }) => id)))
    const { rows } = await chief.call(auditLog, { about: `comment ${others[0]?.postId}` })
    expect(rows.map(({ action }) => action)).toEqual(['review.approve.undo', 'review.approve'])
  })

  test('are undone only by staff who decide, and rejected ones lose their reason', async () => {
    const reviews = await waiting(2)
    const { batch } = await chief.call(contract.decideReviews, { outcome: 'reject', reviews, ...reason })
    const batchId = batch?.id ?? ''
    const reader = await aStaffer(forum, ['content.view'])
    expect((await reader.tryCall(undoBatch, { batchId })).status).toBe(403)
    expect((await reader.call(batches, {})).rows).toEqual([])
    expect((await chief.call(batches, { kind: 'review' })).rows[0]).toMatchObject({ id: batchId, reason: '广告', done: 2 })
    await chief.call(undoBatch, { batchId })
    expect(await decidedNow(batchId)).toEqual([])
    const { posts } = await mei.call(contract.ownWaiting, { topicId })
    expect(posts.map(({ rejected }) => rejected)).toEqual([null, null])
    expect(await chief.isRefused(undoBatch, { batchId }, UndoneAlready)).toBe(true)
  })
})
