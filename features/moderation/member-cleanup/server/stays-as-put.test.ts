import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { login } from '#account/contract.ts'
import { undoBatch } from '#batch/contract.ts'
import { counterMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { listComments, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as contract from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { takeBackAppeal, takeBackCase } from '#report/undo-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { clean, undoCleaning } from '#member-cleanup/contract.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let ben: Staffer
let mei: Person
let tagId: string
let topicId: string
let commentId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  ben = await aStaffer(forum, ['report.view', 'report.decide', 'content.view', 'content.remove'])
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  mei = await forum.member()
  topicId = await aTopic(await forum.member(), tagId)
  commentId = await aComment(mei, topicId)
})

const which = () => ({ kind: 'comment', id: commentId }) as const
const isOnThePage = async (inTopic = topicId) =>
  (await forum.visitor().call(listComments, { topicId: inTopic })).comments.some(({ id, isDeleted }) => id === commentId && !isDeleted)

/** Restored by an appeal against its removal; returns the function that undoes the appeal. */
async function restored() {
  const removalId = (await mei.call(contract.myRemovals, {})).removals[0]?.id ?? ''
  await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
  const { version } = await ben.call(forStaff.appealView, { removalId })
  await ben.call(forStaff.decideAppeal, { removalId, version, outcome: 'restored', answer: 'So be it.' })
  return { removalId, version: version + 1, reason: 'Decided by mistake.' }
}

async function isLeft(decision: Awaited<ReturnType<typeof restored>>) {
  expect(await ben.call(takeBackAppeal, decision)).toEqual({ isLeft: true })
  expect(await counterMismatches(forum.database.reader)).toEqual([])
}

describe('an appeal whose success is undone leaves alone', () => {
  test('a post restored by the undo of a batch', async () => {
    const { batch } = await chief.call(content.doAtOnce, { action: 'comment.remove', ids: [commentId], reason: 'spam' })
    const decision = await restored()
    await chief.call(undoBatch, { batchId: batch.id })
    await isLeft(decision)
    expect(await isOnThePage()).toBe(true)
  })

  test('a post restored by the undo of a clean-up', async () => {
    const { cleaningId } = await chief.call(clean, { memberId: mei.id, reason: 'spam', andThen: 'nothing' })
    mei.pair = null
    mei.pair = sessionOf(await mei.call(login, { account: mei.account, password: mei.password }))
    const decision = await restored()
    await chief.call(undoCleaning, { cleaningId })
    await isLeft(decision)
    expect(await isOnThePage()).toBe(true)
  })

  test('a post deleted by its author and restored by staff, even if merged then', async () => {
    const own = await aTopic(mei, tagId)
    await chief.call(content.removeTopicAsStaff, { topicId: own, reason: 'spam' })
    const decision = await restored()
    await mei.call(removeTopic, { topicId: own })
    await chief.call(content.restoreTopic, { topicId: own })
    await chief.call(mergeTopics, { topicIds: [own], to: topicId })
    const { comments } = await forum.visitor().call(listComments, { topicId })
    await isLeft(decision)
    expect((await forum.visitor().call(listComments, { topicId })).comments).toEqual(comments)
  })

  test('a post restored by staff since, though it was back already', async () => {
    await chief.call(content.removeRemarkAsStaff, { ...which(), reason: 'spam' })
    const decision = await restored()
    await chief.call(content.restoreRemark, which())
    await isLeft(decision)
    expect(await isOnThePage()).toBe(true)
  })

  test('a post deleted by its author since', async () => {
    await chief.call(content.removeRemarkAsStaff, { ...which(), reason: 'spam' })
    const decision = await restored()
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    await isLeft(decision)
    expect(await isOnThePage()).toBe(false)
  })
})

describe('no notice of a restoration is sent for a post', () => {
  const newestNotice = async () => (await noticesOf(mei))[0]?.says
  const newest = async () => (await mei.call(contract.myRemovals, {})).removals[0]

  test('that its author deleted, if its appeal is taken back and granted again', async () => {
    await chief.call(content.removeRemarkAsStaff, { ...which(), reason: 'spam' })
    const decision = await restored()
    expect([await newestNotice(), await newest()]).toMatchObject([{ outcome: 'restored' }, { isBack: true, isOnPage: true }])
    expect(await newestNotice()).not.toHaveProperty('isHidden')
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    await isLeft(decision)
    expect(await newestNotice()).toMatchObject({ kind: 'appealReopened', isAway: false, isHidden: true })
    expect(await newest()).toMatchObject({ isBack: true, isOnPage: false })
    const { removalId, version } = decision
    expect(await ben.call(forStaff.appealView, { removalId })).toMatchObject({ isBack: true, isOnPage: false })
    await ben.call(forStaff.decideAppeal, { removalId, version: version + 1, outcome: 'restored', answer: 'It may be back.' })
    expect(await newestNotice()).toMatchObject({ kind: 'appealAnswered', outcome: 'restored', isHidden: true })
  })

  test('under a removed topic', async () => {
    await aReport(await forum.member(), commentId)
    const { rows } = await ben.call(forStaff.caseList, { size: 200, order: 'desc' })
    const caseId = rows.find(({ thing }) => thing.id === commentId)?.id ?? ''
    await ben.call(forStaff.decideCase, { caseId, version: 1, outcome: 'succeeded', removes: true, why: 'spam' })
    await chief.call(content.removeTopicAsStaff, { topicId, reason: 'spam' })
    await ben.call(takeBackCase, { caseId, version: 2, reason: 'Decided by mistake.' })
    expect(await newestNotice()).toMatchObject({ kind: 'postRestored', isHidden: true })
    expect(await newest()).toMatchObject({ isBack: true, isOnPage: false })
    await chief.call(content.doAtOnce, { action: 'comment.remove', ids: [commentId], reason: 'spam' })
    await chief.call(content.doAtOnce, { action: 'comment.restore', ids: [commentId] })
    expect(await newestNotice()).toMatchObject({ kind: 'postRestored', isHidden: true })
    await chief.call(content.restoreTopic, { topicId })
    expect(await newest()).toMatchObject({ isBack: true, isOnPage: true })
  })
})
