import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { undoBatch } from '#batch/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import {
  adoptAsStaff,
  askTopic,
  addRemarkAsStaff,
  doAtOnce,
  moveTopic,
  remarksForStaff,
  tellTopic,
  unadoptAsStaff,
} from '#content/contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import { addComment, addReply, listComments, removeRemark } from '#comment/contract.ts'
import { adoptAnswer, AskersDay, closeQuestion, listQuestions, OwnAnswer, question } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum()

const stateOf = async (questionId: string) => (await forum.visitor().call(question, { questionId })).state

test('staff turn a topic into a question and back, with all its posts and counts', async () => {
  const [ann, tom, eve, chief] = [await forum.member(), await forum.member(), await forum.member(), await aStaffer(forum)]
  const tagId = await aTag(forum.database)
  const topicId = await aTopic(ann, tagId)
  const commentId = await aComment(tom, topicId)
  await aReply(eve, commentId)
  await chief.call(askTopic, { topicId, reason: 'It asks something.' })
  expect(await stateOf(topicId)).toBe('unresolved')
  expect((await tom.call(home, {})).counts).toMatchObject({ comments: 0, answers: 1 })
  expect((await ann.call(home, {})).counts).toMatchObject({ topics: 0, questions: 1 })
  await ann.call(adoptAnswer, { questionId: topicId, commentId }, newIdempotencyKey())
  expect((await tom.call(home, {})).counts).toMatchObject({ adopted: 1 })
  await chief.call(tellTopic, { topicId, reason: 'It tells something.' })
  expect((await forum.visitor().tryCall(question, { questionId: topicId })).status).toBe(404)
  expect((await tom.call(home, {})).counts).toMatchObject({ comments: 1, answers: 0 })
  expect((await forum.visitor().call(listQuestions, { tagId })).questions).toEqual([])
  await chief.call(askTopic, { topicId, reason: 'It asks after all.' })
  expect(await stateOf(topicId)).toBe('unresolved')
  expect((await tom.call(home, {})).counts).toMatchObject({ adopted: 0 })
})

test('a question that becomes a topic is no longer solved, and solved again with the undo, if the answer is still there', async () => {
  const [ann, tom, chief] = [await forum.member(), await forum.member(), await aStaffer(forum)]
  const pointsOf = async () => (await tom.call(home, {})).level.points ?? 0
  const questionId = await aQuestion(ann, await aTag(forum.database))
  const commentId = await anAnswer(tom, questionId)
  await ann.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  const points = await pointsOf()
  const turn = async () => (await chief.call(doAtOnce, { action: 'topic.tell', ids: [questionId], reason: 'It tells.' })).batch.id
  const first = await turn()
  expect(await pointsOf()).toBe(points - 10)
  expect((await tom.call(home, {})).counts).toMatchObject({ adopted: 0 })
  await chief.call(undoBatch, { batchId: first, reason: '' })
  expect([await stateOf(questionId), await pointsOf()]).toEqual(['resolved', points])
  expect((await forum.visitor().call(question, { questionId })).bestId).toBe(commentId)
  const second = await turn()
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  await chief.call(undoBatch, { batchId: second, reason: '' })
  expect(await stateOf(questionId)).toBe('unanswered')
})

test('staff accept another answer, or none, after the asker’s day; it is logged, can be undone, and is no more the asker’s', async () => {
  const [ann, tom, eve, chief] = [await forum.member(), await forum.member(), await forum.member(), await aStaffer(forum)]
  const few = await aStaffer(forum, ['content.view', 'content.edit'])
  const questionId = await aQuestion(ann, await aTag(forum.database))
  const [first, second, own] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId), await anAnswer(ann, questionId)]
  const best = async () => (await forum.visitor().call(question, { questionId })).bestId
  await ann.call(adoptAnswer, { questionId, commentId: first }, newIdempotencyKey())
  expect(await chief.isRefused(adoptAsStaff, { commentId: second }, AskersDay, newIdempotencyKey())).toBe(true)
  expect(await chief.isRefused(unadoptAsStaff, { commentId: first }, AskersDay, newIdempotencyKey())).toBe(true)
  await forum.database.app
    .updateTable('adoption')
    .set({ adopted_at: sql<Date>`now() - interval '25 hours'` })
    .execute()
  expect((await few.tryCall(adoptAsStaff, { commentId: second }, newIdempotencyKey())).status).toBe(403)
  expect(await chief.isRefused(adoptAsStaff, { commentId: own }, OwnAnswer, newIdempotencyKey())).toBe(true)
  const { batch } = await chief.call(doAtOnce, { action: 'comment.adopt', ids: [second], reason: 'It is the right one.' })
  expect(await best()).toBe(second)
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId: first }, newIdempotencyKey())).status).toBe(422)
  expect((await eve.call(home, {})).counts).toMatchObject({ adopted: 1 })
  expect((await chief.call(remarksForStaff, { topicId: questionId })).comments.map(({ isBest }) => isBest)).toEqual([false, true, false])
  await chief.call(undoBatch, { batchId: batch.id, reason: '' })
  expect(await best()).toBe(first)
  await chief.call(unadoptAsStaff, { commentId: first, reason: 'None is right.' }, newIdempotencyKey())
  expect([await best(), await stateOf(questionId)]).toEqual([null, 'unresolved'])
  const { rows } = await chief.call(auditLog, {})
  expect(rows.map(({ action, about }) => `${action} ${about}`)).toEqual(
    expect.arrayContaining([`comment.unadopt comment ${first}`, `comment.adopt comment ${second}`]),
  )
  const commentId = await aComment(tom, await aTopic(ann, await aTag(forum.database)))
  expect((await chief.tryCall(adoptAsStaff, { commentId }, newIdempotencyKey())).status).toBe(404)
})

test('of several answers accepted at once the last counts, and the undo restores the one before, with its actor', async () => {
  const [ann, tom, eve, chief] = [await forum.member(), await forum.member(), await forum.member(), await aStaffer(forum)]
  const questionId = await aQuestion(ann, await aTag(forum.database))
  const [first, second, third] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId), await anAnswer(tom, questionId)]
  const best = () =>
    forum.database.app.selectFrom('adoption').select(['comment_id', 'adopted_at', 'staff_id']).where('topic_id', '=', questionId).execute()
  const adopts = async (...ids: string[]) =>
    (await chief.call(doAtOnce, { action: 'comment.adopt', ids, reason: 'They are right.' })).batch.id
  const several = await adopts(first, second)
  expect(await best()).toMatchObject([{ comment_id: second }])
  const undone = await chief.call(undoBatch, { batchId: several, reason: '' })
  expect([await best(), undone.left, await stateOf(questionId)]).toEqual([[], [], 'unresolved'])
  await adopts(first)
  const before = await best()
  expect(before).toMatchObject([{ comment_id: first, staff_id: chief.id }])
  await chief.call(undoBatch, { batchId: await adopts(second, third), reason: '' })
  expect(await best()).toEqual(before)
})

test('undone, a question that its asker had closed is theirs to open again', async () => {
  const [ann, chief] = [await forum.member(), await aStaffer(forum)]
  const questionId = await aQuestion(ann, await aTag(forum.database))
  const open = () => ann.tryCall(closeQuestion, { questionId, isClosed: false })
  for (const action of ['topic.open', 'topic.close'] as const) {
    await ann.call(closeQuestion, { questionId, isClosed: true })
    const { batch } = await chief.call(doAtOnce, { action, ids: [questionId], reason: 'To be undone.' })
    await chief.call(undoBatch, { batchId: batch.id, reason: '' })
    expect((await open()).status).toBe(200)
  }
  await ann.call(closeQuestion, { questionId, isClosed: true })
  await chief.call(doAtOnce, { action: 'topic.close', ids: [questionId], reason: 'For good.' })
  expect((await open()).status).toBe(422)
})

test('staff answer a question, and reply to an answer, from the administration', async () => {
  const [ann, chief] = [await forum.member(), await aStaffer(forum)]
  const topicId = await aQuestion(ann, await aTag(forum.database))
  const { id: commentId } = await chief.call(addRemarkAsStaff, { kind: 'comment', under: topicId, body: says('From the house.') })
  await chief.call(addRemarkAsStaff, { kind: 'reply', under: commentId, body: says('And this.') })
  const [answer] = (await forum.visitor().call(listComments, { topicId })).comments
  expect(answer).toMatchObject({ id: commentId, author: { isOfficial: true }, replyCount: 1 })
  expect(await stateOf(topicId)).toBe('unresolved')
})

test('a question moved into one of its further tags, and back, is under each of them again', async () => {
  const [ann, chief] = [await forum.member(), await aStaffer(forum)]
  const [here, also] = [await aTag(forum.database), await aTag(forum.database)]
  const questionId = await aQuestion(ann, here, { tagIds: [also] })
  const tags = async () => (await forum.visitor().call(question, { questionId })).tags.map(({ id }) => id)
  const { batch } = await chief.call(doAtOnce, { action: 'topic.move', ids: [questionId], tagId: also, reason: 'To be undone.' })
  expect(await tags()).toEqual([also])
  await chief.call(undoBatch, { batchId: batch.id, reason: '' })
  expect(await tags()).toEqual([here, also])
  await chief.call(moveTopic, { topicId: questionId, tagId: also })
  await chief.call(moveTopic, { topicId: questionId, tagId: await aTag(forum.database) })
  await chief.call(moveTopic, { topicId: questionId, tagId: here })
  expect(await tags()).toEqual([here, also])
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

test('a text begun before a thread was turned becomes an answer there, and a reply to one', async () => {
  const [ann, tom, chief] = [await forum.member(), await forum.member(), await aStaffer(forum)]
  const topicId = await aTopic(ann, await aTag(forum.database))
  await chief.call(askTopic, { topicId })
  const { commentId } = await tom.call(addComment, { topicId, body: says('It is an answer.') })
  await tom.call(addReply, { commentId, body: says('And so is this.') })
  expect((await tom.call(home, {})).counts).toMatchObject({ answers: 1, comments: 0, replies: 1 })
  await chief.call(changeSettings, { allowAnswers: false, reviewAnswerReplies: 'everybody' })
  expect(await tom.isRefused(addComment, { topicId, body: says('No more answers.') }, FunctionClosed)).toBe(true)
  expect(await ann.call(addReply, { commentId, body: says('It waits.') })).toMatchObject({ isPending: true })
  await ann.call(addComment, { topicId: await aTopic(ann, await aTag(forum.database)), body: says('But comments.') })
  await chief.call(changeSettings, { allowAnswers: true, reviewAnswerReplies: 'nobody' })
})
