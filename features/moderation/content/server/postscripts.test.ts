import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { listComments } from '#comment/contract.ts'
import * as contract from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { removePostscript, restorePostscript } from '#content/postscript-contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { addPostscript, editQuestion } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { OwnCase, prove } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let ann: Person
let [tagId, other, third] = ['', '', '']
beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  ;[tagId, other, third] = [await aTag(forum.database), await aTag(forum.database), await aTag(forum.database)]
})

beforeEach(async () => {
  ann = await forum.member()
})

const shownOf = async (questionId: string) =>
  (await forum.visitor().call(thread, { topicId: questionId })).postscripts.map(({ number, segments }) => [number, segments[0]?.html])

test('staff see the postscripts of a question, and remove one with a reason that its asker reads', async () => {
  const questionId = await aQuestion(ann, tagId)
  for (const text of ['It was green tea.', 'Buy my kettles.']) await ann.call(addPostscript, { questionId, body: says(text) })
  const remove = { topicId: questionId, number: 2, reason: 'Advertising' }
  await chief.call(removePostscript, remove)
  expect(await shownOf(questionId)).toEqual([[1, '<p>It was green tea.</p>']])
  const { postscripts } = await chief.call(contract.topicForStaff, { topicId: questionId })
  expect(postscripts).toMatchObject([
    { number: 1, removedAt: null, reason: null },
    { number: 2, reason: 'Advertising', segments: [{ html: '<p>Buy my kettles.</p>' }] },
  ])
  expect((await chief.tryCall(removePostscript, remove)).status).toBe(404)
  const [notice] = (await ann.call(systemNotifyList, {})).notices
  expect(notice?.says).toMatchObject({ kind: 'postscriptRemoved', number: 2, reason: 'Advertising', post: { excerpt: 'Buy my kettles.' } })
  const { rows } = await chief.call(auditLog, {})
  expect(rows[0]).toMatchObject({ action: 'topic.removePostscript', about: `topic ${questionId}`, reason: 'Advertising' })

  expect((await ann.call(addPostscript, { questionId, body: says('From Hangzhou.') })).number).toBe(3)
  await chief.call(restorePostscript, { topicId: questionId, number: 2 })
  expect((await shownOf(questionId)).map(([number]) => number)).toEqual([1, 2, 3])
})

test('no member takes a postscript off, and no member of staff puts their own back', async () => {
  const questionId = await aQuestion(ann, tagId)
  await ann.call(addPostscript, { questionId, body: says('It was green tea.') })
  const which = { topicId: questionId, number: 1 }
  expect((await ann.tryCall(removePostscript, { ...which, reason: 'No' })).status).toBe(401)
  await chief.call(removePostscript, { ...which, reason: 'Mine' })
  const { app } = forum.database
  const { speaks_as: author_id } = await app.selectFrom('staff').select('speaks_as').where('id', '=', chief.id).executeTakeFirstOrThrow()
  await app.updateTable('topic').set({ author_id }).where('id', '=', questionId).execute()
  expect(await chief.isRefused(restorePostscript, which, OwnCase)).toBe(true)
})

test('staff see the further tags of a question, and those it had before', async () => {
  const questionId = await aQuestion(ann, tagId, { title: 'Where does this belong', tagIds: [other] })
  await ann.call(editQuestion, { questionId, tagIds: [third], title: 'Where does this belong', body: says('Here or there?') })
  const { tags, versions } = await chief.call(contract.topicForStaff, { topicId: questionId })
  expect([tags, ...versions.map((version) => version.tags)].map((its) => its.map(({ id }) => id))).toEqual([[third], [other]])
})

test('a postscript stays on the page when its question becomes a topic', async () => {
  const questionId = await aQuestion(ann, tagId)
  await ann.call(addPostscript, { questionId, body: says('It was green tea.') })
  await chief.call(contract.tellTopic, { topicId: questionId })
  expect(await shownOf(questionId)).toEqual([[1, '<p>It was green tea.</p>']])
  await chief.call(contract.askTopic, { topicId: questionId })
  expect(await shownOf(questionId)).toEqual([[1, '<p>It was green tea.</p>']])
})

test('a postscript goes along when its question is merged, and is gone when the question is erased', async () => {
  const [questionId, to] = [await aQuestion(ann, tagId), await aQuestion(ann, tagId)]
  for (const text of ['It was green tea.', 'Buy my kettles.']) await ann.call(addPostscript, { questionId, body: says(text) })
  await chief.call(removePostscript, { topicId: questionId, number: 2, reason: 'Advertising' })
  await chief.call(mergeTopics, { topicIds: [questionId], to, reason: '' })
  const [opening] = (await forum.visitor().call(listComments, { topicId: to })).comments
  expect(opening?.segments.map(({ html }) => html).join('')).toMatch(/P\.S\. 1 · 20.*It was green tea\.<\/p>$/s)
  await chief.call(contract.removeRemarkAsStaff, { kind: 'comment', id: opening?.id ?? '', reason: 'Asked' })
  await chief.call(prove, { password: chief.password })
  await chief.call(contract.purgeRemark, { kind: 'comment', id: opening?.id ?? '' })
  expect(await forum.database.app.selectFrom('postscript').selectAll().where('topic_id', '=', questionId).execute()).toEqual([])
})
