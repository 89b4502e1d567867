import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { addComment, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { removeTopicAsStaff } from '#content/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import { caseList, caseView, removeReport } from '#report/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { dashboard, waitingNow } from '#statistic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
})

test('staff see the waiting counts of the queues they have rights to, and of no others', async () => {
  const [chief, reviewer, desk, clerk] = [
    await aStaffer(forum),
    await aStaffer(forum, ['content.review']),
    await aStaffer(forum, ['report.view']),
    await aStaffer(forum, ['feedback.handle']),
  ]
  const none = {
    reviews: null,
    reports: null,
    appeals: null,
    messageReports: null,
    answerReports: null,
    feedback: null,
    moneyRequests: null,
    joining: null,
    payments: null,
    disputes: null,
  }
  expect(await chief.call(waitingNow, {})).toEqual({
    reviews: 0,
    reports: 0,
    appeals: 0,
    messageReports: 0,
    answerReports: 0,
    feedback: 0,
    moneyRequests: 0,
    joining: 0,
    payments: 0,
    disputes: 0,
  })
  const [mei, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, await aTag(forum.database))
  await aReport(tom, await aComment(mei, topicId))
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  await tom.call(addComment, { topicId, body: says('Let me wait') })
  expect(await reviewer.call(waitingNow, {})).toEqual({ ...none, reviews: 1 })
  expect(await desk.call(waitingNow, {})).toEqual({ ...none, reports: 1, appeals: 0 })
  expect(await clerk.call(waitingNow, {})).toEqual({ ...none, feedback: 0 })
  const counter = await aStaffer(forum, ['statistic.view', 'report.view'])
  expect((await counter.call(dashboard, {})).waiting).toEqual({ ...none, reports: 1, appeals: 0 })
})

test('a review that left the queue with its post is not counted', async () => {
  const chief = await aStaffer(forum)
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  const before = (await chief.call(waitingNow, {})).reviews ?? 0
  const { commentId } = await mei.call(addComment, { topicId, body: says('I change my mind') })
  await mei.call(addComment, { topicId, body: says('Under a topic that goes') })
  expect((await chief.call(waitingNow, {})).reviews).toBe(before + 2)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  await chief.call(removeTopicAsStaff, { topicId, reason: 'spam' })
  expect((await chief.call(waitingNow, {})).reviews).toBe(before)
})

test('a case without its reports does not wait', async () => {
  const chief = await aStaffer(forum)
  const [row] = (await chief.call(caseList, {})).rows
  const { list } = await chief.call(caseView, { caseId: row?.id ?? '' })
  await chief.call(removeReport, { reportId: list[0]?.id ?? '' })
  expect((await chief.call(waitingNow, {})).reports).toBe(0)
})

test('a case of one’s own is counted for others only', async () => {
  const [ann, ben] = [await aStaffer(forum), await aStaffer(forum)]
  const { app } = forum.database
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  const reviews = (who: 'nobody' | 'everybody') => transact(forum.database, (tx) => setting.change(tx, 'reviewComments', who, 'test'))
  await reviews('nobody')
  await aReport(await forum.member(), await aComment(mei, topicId))
  await reviews('everybody')
  await mei.call(addComment, { topicId, body: says('Of my own') })
  const before = await ben.call(waitingNow, {})
  expect(await ann.call(waitingNow, {})).toEqual(before)
  const { speaks_as: author_id } = await app.selectFrom('staff').select('speaks_as').where('id', '=', ann.id).executeTakeFirstOrThrow()
  for (const table of ['review', 'report_case'] as const)
    await app.updateTable(table).set({ author_id }).where('author_id', '=', mei.id).execute()
  expect(await ben.call(waitingNow, {})).toEqual(before)
  expect(await ann.call(waitingNow, {})).toEqual({ ...before, reviews: (before.reviews ?? 0) - 1, reports: (before.reports ?? 0) - 1 })
})
