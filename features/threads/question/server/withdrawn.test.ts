import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { undoBatch } from '#batch/contract.ts'
import { myThread } from '#comment/contract.ts'
import * as content from '#content/contract.ts'
import { fileKeys } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { hides } from '#hidden-part/testing/factories.ts'
import { myHidden } from '#hidden-part/contract.ts'
import {
  addPostscript,
  adoptAnswer,
  closeQuestion,
  editQuestion,
  listQuestions,
  myQuestion,
  question,
  restoreQuestion,
} from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { myReports } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import { search } from '#search/contract.ts'
import { catchUp } from '#search/server/indexer.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editableTopic, editTopic, listTopics, removeTopic, thread, topicHistory, topicMarkdown } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let [ann, tom] = [] as unknown as [Person, Person]
let tagId = ''
beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  ;[ann, tom] = [await forum.member(), await forum.member()]
  tagId = await aTag(forum.database)
})

const secret = 'chrysoprase'

/** A question with its secret in every place, answered by another member. */
async function answered() {
  const file = (await sendFile(ann, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file as string
  const first = documentWith(paragraph({ type: 'text', text: `First ${secret}` }))
  const questionId = await aTopic(ann, tagId, { title: 'What became of it', body: first })
  const now = documentWith(paragraph({ type: 'text', text: `Now ${secret}` }), picture(file), hides('comment', '', `Hidden ${secret}`))
  await ann.call(editTopic, { topicId: questionId, title: 'What became of it', body: now })
  await chief.call(content.askTopic, { topicId: questionId })
  await ann.call(addPostscript, { questionId, body: says(`Later ${secret}`) })
  const commentId = await anAnswer(tom, questionId)
  return { questionId, topicId: questionId, commentId, file }
}

test('the text of a withdrawn question is readable only for its asker and staff, anywhere', async () => {
  const { questionId, topicId, file } = await answered()
  await aReport(tom, topicId, { kind: 'topic' })
  await ann.call(removeTopic, { topicId })
  const visitor = forum.visitor()
  for (const reader of [visitor, tom, await forum.member()]) {
    const all = [
      await reader.call(thread, { topicId }),
      await reader.call(question, { questionId }),
      await reader.call(topicHistory, { topicId }),
      await reader.call(topicMarkdown, { topicId }),
    ]
    expect(JSON.stringify(all)).not.toContain(secret)
  }
  const feed = await forum.app.inject(`/feed?tagId=${tagId}`)
  expect(feed.body).toContain('What became of it')
  await catchUp(forum.database, postgresEngine)
  const elsewhere = [
    feed.body,
    await visitor.call(listQuestions, {}),
    await visitor.call(listTopics, {}),
    await visitor.call(search, { keyword: 'became' }),
  ]
  expect(JSON.stringify(elsewhere)).not.toContain(secret)
  expect((await visitor.call(search, { keyword: secret })).hits).toEqual([])
  expect(JSON.stringify([await tom.call(myHidden, { topicId }), await tom.call(myReports, {})])).not.toContain(secret)
  for (const member of [tom, ann]) expect((await member.tryCall(editableTopic, { topicId })).status).toBe(403)
  expect((await forum.app.inject(`/file/${file}`)).statusCode).toBe(404)
  expect((await tom.call(fileKeys, { files: [file] })).keys).toEqual([])

  const { withdrawn } = await ann.call(myQuestion, { questionId })
  expect(JSON.stringify(withdrawn)).toContain(`Now ${secret}`)
  expect((await tom.call(myQuestion, { questionId })).withdrawn).toBe(null)
  const { versions, marks } = await chief.call(content.topicForStaff, { topicId })
  expect(JSON.stringify(versions[0])).toContain(`Now ${secret}`)
  expect(marks).toContain('withdrawn')
})

test('its asker can only restore it, as it was', async () => {
  const { questionId, topicId, commentId, file } = await answered()
  const before = [await readThread(topicId), await forum.visitor().call(topicHistory, { topicId })]
  await ann.call(removeTopic, { topicId })
  const edit = { questionId, tagIds: [], title: 'Other', body: says('Other words') }
  expect((await ann.tryCall(editQuestion, edit)).status).toBe(403)
  expect((await ann.tryCall(editTopic, { topicId, title: 'Other', body: says('Other words') })).status).toBe(403)
  expect((await ann.tryCall(addPostscript, { questionId, body: says('More') })).status).toBe(404)
  expect((await ann.tryCall(closeQuestion, { questionId, isClosed: true })).status).toBe(404)
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId }, newIdempotencyKey())).status).toBe(404)
  expect((await tom.tryCall(restoreQuestion, { questionId })).status).toBe(403)
  expect((await ann.call(myThread, { topicId, commentIds: [] })).can).toMatchObject({ edit: false, remove: false, comment: false })
  await ann.call(restoreQuestion, { questionId })
  expect([await readThread(topicId), await forum.visitor().call(topicHistory, { topicId })]).toEqual(before)
  expect((await forum.app.inject(`/file/${file}`)).statusCode).toBe(200)
  expect((await ann.tryCall(restoreQuestion, { questionId })).status).toBe(404)
  await anAnswer(await forum.member(), questionId, 'In time.')
})

test('a closed question is closed again when it is restored', async () => {
  const { questionId, topicId } = await answered()
  await ann.call(closeQuestion, { questionId, isClosed: true })
  await ann.call(removeTopic, { topicId })
  await ann.call(restoreQuestion, { questionId })
  expect(await readThread(topicId)).toMatchObject({ takesComments: false, isClosed: true })
  await ann.call(closeQuestion, { questionId, isClosed: false })
})

test('staff put it back, change nothing in it meanwhile, and undo that they did', async () => {
  const { topicId } = await answered()
  await ann.call(removeTopic, { topicId })
  const { version } = await chief.call(content.topicForStaff, { topicId })
  const edit = { topicId, version, title: 'Other', body: says('Other words'), reason: '' }
  expect((await chief.tryCall(content.editTopicAsStaff, edit)).status).toBe(403)
  expect((await chief.tryCall(content.tellTopic, { topicId })).status).toBe(403)
  await chief.call(content.restoreTopic, { topicId, reason: 'Useful' })
  expect(JSON.stringify(await readThread(topicId))).toContain(`Now ${secret}`)
  await ann.call(removeTopic, { topicId })
  const { batch } = await chief.call(content.doAtOnce, { action: 'topic.restore', ids: [topicId], reason: '' })
  expect(JSON.stringify(await readThread(topicId))).toContain(`Now ${secret}`)
  await chief.call(undoBatch, { batchId: batch.id })
  expect(JSON.stringify(await readThread(topicId))).not.toContain(secret)
})

const readThread = (topicId: string) => forum.visitor().call(thread, { topicId })
