import { beforeEach, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { addComment } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { myReports } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import { caseList, decideCase } from '#report/staff-contract.ts'
import { rejectReview, reviewQueue } from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { clean, cleanLook, undoCleaning } from '#member-cleanup/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string

beforeEach(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

const opened = async () => (await chief.call(caseList, {})).rows

test('a clean-up settles the reports about its posts, notifies the reporters, and reopens them with its undo', async () => {
  const [mei, lin, tom] = [await forum.member(), await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(mei, topicId)
  await aReport(lin, commentId)
  await aReport(tom, commentId)
  await aReport(tom, topicId, { kind: 'topic' })
  const { cleaningId } = await chief.call(clean, { memberId: mei.id, reason: 'spam' })
  expect(await opened()).toEqual([])
  expect((await tom.call(myReports, {})).reports.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  const notice = { kind: 'reportDecided', outcome: 'succeeded', post: { kind: 'comment', id: commentId } }
  expect((await noticesOf(lin)).map(({ says }) => says)).toMatchObject([notice])
  expect(await noticesOf(tom)).toHaveLength(2)

  await chief.call(undoCleaning, { cleaningId })
  expect((await opened()).map(({ thing, reports }) => [thing.kind, reports]).toSorted()).toEqual([
    ['comment', 2],
    ['topic', 1],
  ])
  expect((await noticesOf(lin))[0]?.says).toMatchObject({ kind: 'reportReopened', post: { id: commentId } })
  expect((await lin.call(myReports, {})).reports).toMatchObject([{ status: 'pending' }])
  for (const { id: caseId, version } of await opened())
    await chief.call(decideCase, { caseId, version, outcome: 'succeeded', removes: true, why: 'spam' })
})

test('decisions before a clean-up and reports since stay with its undo', async () => {
  const [mei, lin] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(lin, tagId)
  const [judged, other] = [await aComment(mei, topicId), await aComment(mei, topicId)]
  await aReport(lin, judged)
  const [one] = await opened()
  await chief.call(decideCase, { caseId: one?.id ?? '', version: one?.version ?? 0, outcome: 'failed' })
  await aReport(lin, other)
  const { cleaningId } = await chief.call(clean, { memberId: mei.id, reason: 'spam' })
  await chief.call(undoCleaning, { cleaningId })
  expect((await opened()).map(({ thing }) => thing.id)).toEqual([other])
})

test('a preview of a clean-up shows all it takes: posts in review, rejected ones, and open reports', async () => {
  const [mei, lin] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(mei, topicId)
  await aReport(lin, commentId)
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  for (const text of ['Buy my tea', 'It waits']) await mei.call(addComment, { topicId, body: says(text) })
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'nobody', 'test'))
  const { rows } = await chief.call(reviewQueue, { size: 200 })
  const [bad] = rows.filter(({ author }) => author.id === mei.id)
  await chief.call(rejectReview, { reviewId: bad?.id ?? '', version: bad?.version ?? 0, reasonZh: '广告', reasonEn: '' })

  expect(await chief.call(cleanLook, { memberId: mei.id })).toEqual({
    topics: 1,
    comments: 1,
    replies: 0,
    waiting: 1,
    rejected: 1,
    reported: 1,
  })
  expect(await chief.call(clean, { memberId: mei.id, reason: 'spam' })).toMatchObject({ removed: 4 })
  const nothing = { topics: 0, comments: 0, replies: 0, waiting: 0, rejected: 0, reported: 0 }
  expect(await chief.call(cleanLook, { memberId: mei.id })).toEqual(nothing)
  const reader = await aStaffer(forum, ['member.view'])
  expect((await reader.tryCall(cleanLook, { memberId: mei.id })).status).toBe(403)
})
