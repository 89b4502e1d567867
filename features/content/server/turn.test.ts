import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { aComment, aReply } from '#comment/server/example.ts'
import { askTopic, commentAsStaff, replyAsStaff, tellTopic } from '#content/contract.ts'
import { listComments } from '#comment/contract.ts'
import { adoptAnswer, listQuestions, question } from '#question/contract.ts'
import { aQuestion } from '#question/server/example.ts'
import { aStaffer } from '#staff/server/example.ts'
import { aTag } from '#tag/server/example.ts'
import { aTopic } from '#topic/server/example.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/server/example.ts'

const forum = await aForum()

const stateOf = async (questionId: string) => (await forum.visitor().call(question, { questionId })).state

test('staff turn a topic into a question and back, with all that stands in it and what it counts for', async () => {
  const [ann, tom, eve, chief] = [await forum.member(), await forum.member(), await forum.member(), await aStaffer(forum)]
  const tagId = await aTag(forum.database)
  const topicId = await aTopic(ann, tagId)
  const commentId = await aComment(tom, topicId)
  await aReply(eve, commentId)
  await chief.call(askTopic, { topicId, reason: 'It asks something.' })
  expect(await stateOf(topicId)).toBe('unresolved')
  expect((await tom.call(home, {})).counts).toMatchObject({ comments: 0, answers: 1 })
  expect((await ann.call(home, {})).counts).toMatchObject({ topics: 0, questions: 1 })
  await ann.call(adoptAnswer, { questionId: topicId, commentId })
  expect((await tom.call(home, {})).counts).toMatchObject({ adopted: 1 })
  await chief.call(tellTopic, { topicId, reason: 'It tells something.' })
  expect((await forum.visitor().tries(question, { questionId: topicId })).status).toBe(404)
  expect((await tom.call(home, {})).counts).toMatchObject({ comments: 1, answers: 0 })
  expect((await forum.visitor().call(listQuestions, { tagId })).questions).toEqual([])
  await chief.call(askTopic, { topicId, reason: 'It asks after all.' })
  expect(await stateOf(topicId)).toBe('resolved')
})

test('staff answer a question, and reply to an answer, from the administration', async () => {
  const [ann, chief] = [await forum.member(), await aStaffer(forum)]
  const topicId = await aQuestion(ann, await aTag(forum.database))
  const { commentId } = await chief.call(commentAsStaff, { topicId, body: says('From the house.') })
  await chief.call(replyAsStaff, { commentId, body: says('And this.') })
  const [answer] = (await forum.visitor().call(listComments, { topicId })).comments
  expect(answer).toMatchObject({ id: commentId, author: { isOfficial: true }, replyCount: 1 })
  expect(await stateOf(topicId)).toBe('unresolved')
})
