import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as comments from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { removeTopicAsStaff } from '#content/contract.ts'
import * as contract from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tom: Person
let tagId: string
let topicId: string

const reason = { reasonZh: '广告', reasonEn: 'It advertises.' }

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  topicId = await aTopic(await forum.member(), tagId)
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  await transact(forum.database, (tx) => setting.change(tx, 'reviewTopics', 'everybody', 'test'))
})
beforeEach(async () => {
  tom = await forum.member()
})

async function waiting(kind: 'topic' | 'comment', postId: string) {
  const { rows } = await chief.call(contract.reviewQueue, { size: 200 })
  const found = rows.find((row) => row.postId === postId && row.kind === kind)
  return found && { reviewId: found.id, version: found.version }
}

async function aWaiting(kind: 'topic' | 'comment') {
  const postId = kind === 'comment' ? await aComment(tom, topicId) : await aTopic(tom, tagId)
  const found = await waiting(kind, postId)
  if (!found) throw new Error(`${kind} ${postId} does not wait`)
  return { postId, ...found }
}

async function isOnThePage(kind: 'topic' | 'comment', id: string): Promise<boolean> {
  if (kind === 'topic') return (await forum.visitor().tryCall(topics.thread, { topicId: id })).status === 200
  const floors = await forum.visitor().call(comments.listComments, { topicId })
  return floors.comments.some((one) => one.id === id && !one.isDeleted)
}

const newest = async () => (await chief.call(contract.decidedReviews, {})).rows[0]
const countsAreRight = async () => {
  expect(await counterMismatches(forum.database.reader)).toEqual([])
  expect(await newestMismatches(forum.database.reader)).toEqual([])
}

test('a decision is listed, with its actor and reason', async () => {
  const { postId, ...decision } = await aWaiting('comment')
  await chief.call(contract.rejectReview, { ...decision, ...reason })
  const seen = { postId, outcome: 'rejected', by: chief.account, reason: { zh: '广告', en: 'It advertises.' }, canUndo: true }
  expect(await newest()).toMatchObject({ ...seen, author: { id: tom.id } })
  const helper = await aStaffer(forum, ['content.review'])
  expect((await helper.call(contract.decidedReviews, { by: 'me' })).rows).toEqual([])
})

for (const kind of ['topic', 'comment'] as const) {
  test(`a ${kind} that was put on the page by mistake waits again, and comes there anew`, async () => {
    const { postId, ...decision } = await aWaiting(kind)
    await chief.call(contract.approveReview, decision)
    await chief.call(contract.undoReview, { reviewId: decision.reviewId })
    await countsAreRight()
    expect(await isOnThePage(kind, postId)).toBe(false)
    const again = await waiting(kind, postId)
    if (!again) throw new Error('It waits')
    await chief.call(contract.approveReview, again)
    await countsAreRight()
  })
}

test('a post rejected or removed by mistake waits again', async () => {
  const rejected = await aWaiting('comment')
  await chief.call(contract.rejectReview, { reviewId: rejected.reviewId, version: rejected.version, ...reason })
  await chief.call(contract.undoReview, { reviewId: rejected.reviewId })
  expect((await tom.call(contract.ownWaiting, {})).posts).toMatchObject([{ postId: rejected.postId, rejected: null }])
  const removed = await aWaiting('topic')
  await chief.call(contract.removeReview, { reviewId: removed.reviewId, version: removed.version })
  expect(await newest()).toMatchObject({ isGone: true, canUndo: true })
  await chief.call(contract.undoReview, { reviewId: removed.reviewId })
  expect(await waiting('topic', removed.postId)).toBeDefined()
  await countsAreRight()
})

test('a post removed by others since stays out of the queue, and the undo of a removal takes the right to remove', async () => {
  const reviewer = await aStaffer(forum, ['content.review', 'content.view'])
  const rejected = await aWaiting('topic')
  await chief.call(contract.rejectReview, { reviewId: rejected.reviewId, version: rejected.version, ...reason })
  await chief.call(removeTopicAsStaff, { topicId: rejected.postId, reason: 'unlawful' })
  expect(await newest()).toMatchObject({ isGone: true, canUndo: false })
  for (const by of [reviewer, chief])
    expect(await by.isRefused(contract.undoReview, { reviewId: rejected.reviewId }, contract.CannotUndo)).toBe(true)

  const removed = await aWaiting('comment')
  await chief.call(contract.removeReview, { reviewId: removed.reviewId, version: removed.version })
  expect((await reviewer.call(contract.decidedReviews, {})).rows[0]).toMatchObject({ isGone: true, canUndo: false })
  expect((await reviewer.tryCall(contract.undoReview, { reviewId: removed.reviewId })).status).toBe(403)
  await chief.call(contract.undoReview, { reviewId: removed.reviewId })
  expect(await waiting('comment', removed.postId)).toBeDefined()
})

test('an answered post stays on the page, and a waiting one has nothing to undo', async () => {
  const { postId, ...decision } = await aWaiting('topic')
  expect(await chief.isRefused(contract.undoReview, { reviewId: decision.reviewId }, contract.CannotUndo)).toBe(true)
  await chief.call(contract.approveReview, decision)
  const answer = await aComment(await forum.member(), postId)
  const its = await waiting('comment', answer)
  if (!its) throw new Error('It waits')
  await chief.call(contract.approveReview, its)
  expect(await chief.isRefused(contract.undoReview, { reviewId: decision.reviewId }, contract.CannotUndo)).toBe(true)
})

test('posts of one author are found in both lists, by number or account', async () => {
  const decided = await aWaiting('comment')
  await chief.call(contract.rejectReview, { reviewId: decided.reviewId, version: decided.version, ...reason })
  const waits = await aWaiting('topic')
  const mei = await forum.member()
  const others = await aComment(mei, topicId)
  for (const author of [tom.id, tom.account, tom.account.toUpperCase()]) {
    expect((await chief.call(contract.decidedReviews, { author })).rows.map(({ postId }) => postId)).toEqual([decided.postId])
    expect((await chief.call(contract.reviewQueue, { author })).rows.map(({ postId }) => postId)).toEqual([waits.postId])
  }
  expect((await chief.call(contract.reviewQueue, { author: mei.id })).rows.map(({ postId }) => postId)).toEqual([others])
  expect((await chief.call(contract.decidedReviews, { author: mei.id })).count).toBe(0)
  expect((await chief.call(contract.decidedReviews, { author: 'nobody at all' })).count).toBe(0)
  const reporter = await aStaffer(forum, ['report.view'])
  for (const list of [contract.decidedReviews, contract.reviewQueue])
    expect((await reporter.tryCall(list, { author: tom.id })).status).toBe(403)
})

test('decisions are listed for the chosen days', async () => {
  const { postId, ...decision } = await aWaiting('comment')
  await chief.call(contract.approveReview, decision)
  const at = (await newest())?.at ?? ''
  const before = new Date(Date.parse(at) - 1).toISOString()
  const posts = async (query: object) =>
    (await chief.call(contract.decidedReviews, { author: tom.id, ...query })).rows.map((row) => row.postId)
  expect(await posts({ since: before })).toEqual([postId])
  expect(await posts({ until: before })).toEqual([])
})
