import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { addReply } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { commentsForStaff, topicsForStaff } from '#content/list-contract.ts'
import { banMember } from '#member/contract.ts'
import { adoptAnswer, closeQuestion, editQuestion, restoreQuestion } from '#question/contract.ts'
import { Banned } from '#role/contract.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import { editableTopic, topicHistory } from '#topic/contract.ts'
import { listDrafts, saveDraft } from '#draft/contract.ts'
import type { PersonalNotice } from '#notification/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { myRemovals } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as reports from '#report/staff-contract.ts'
import * as review from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag, giveRole } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let [ann, tom] = [] as unknown as [Person, Person]
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  ;[ann, tom] = [await forum.member('ann_asks'), await forum.member('tom_answers')]
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

test('reports, removals and notices call the thread of an answer a question, and find it by its kind', async () => {
  const author = await forum.member()
  const questionId = await aQuestion(ann, tagId)
  const answerId = await anAnswer(author, questionId)
  const commentId = await aComment(author, await aTopic(ann, tagId))
  for (const id of [answerId, commentId]) await aReport(ann, id)
  const called = async (kind: 'answer' | 'comment' | 'question') =>
    (await chief.call(reports.caseList, { kind })).rows.map(({ thing }) => [thing.id, thing.thread])
  expect(await called('answer')).toEqual([[answerId, 'question']])
  expect(await called('comment')).toEqual([[commentId, 'topic']])
  expect(await called('question')).toEqual([])
  await chief.call(content.doAtOnce, { action: 'comment.remove', ids: [answerId, commentId], reason: 'Twice.' })
  const notices = (await noticesOf(author)).map(({ says }) => says as PersonalNotice)
  expect(notices.flatMap((one) => ('post' in one ? [[one.post.id, one.post.thread]] : [])).toSorted()).toEqual(
    [
      [answerId, 'question'],
      [commentId, 'topic'],
    ].toSorted(),
  )
  expect((await author.call(myRemovals, {})).removals.map(({ thing }) => thing.thread).toSorted()).toEqual(['question', 'topic'])
})

test('a post in review is found by its kind, and names the kind of its thread', async () => {
  const questionId = await aQuestion(ann, tagId)
  const commentId = await anAnswer(tom, questionId)
  await change({ reviewAnswerReplies: 'everybody', reviewReplies: 'everybody' })
  await tom.call(addReply, { commentId, body: says('And with less water.') })
  await change({ reviewAnswerReplies: 'nobody', reviewReplies: 'nobody' })
  expect((await chief.call(review.reviewQueue, { kind: 'answerReply' })).rows).toMatchObject([{ kind: 'reply', thread: 'question' }])
  expect((await chief.call(review.reviewQueue, { kind: 'reply' })).rows).toEqual([])
  expect((await tom.call(review.ownWaiting, {})).posts).toMatchObject([{ kind: 'reply', thread: 'question' }])
  const { rows } = await chief.call(review.reviewQueue, {})
  for (const { id: reviewId, version } of rows) await chief.call(review.approveReview, { reviewId, version })
  expect((await chief.call(review.decidedReviews, { kind: 'answerReply' })).rows).toMatchObject([{ thread: 'question' }])
})

test('staff list answers apart from comments, and drafts name the kind of their thread', async () => {
  const questionId = await aQuestion(ann, tagId)
  const answerId = await anAnswer(tom, questionId)
  const author = tom.id
  const answers = await chief.call(commentsForStaff, { author, thread: 'question' })
  expect(answers.rows.find(({ id }) => id === answerId)?.topic).toMatchObject({ id: questionId, kind: 'question' })
  expect((await chief.call(commentsForStaff, { author, thread: 'topic' })).rows.every(({ topic }) => topic.kind === 'topic')).toBe(true)
  expect((await chief.call(topicsForStaff, { thread: 'question' })).rows.every(({ marks }) => marks.includes('asks'))).toBe(true)
  await tom.call(saveDraft, {
    place: `comment ${questionId}`,
    content: { text: { view: 'rich', doc: says('It is') }, fields: {} },
    writer: 'writer-of-answers',
  })
  expect((await tom.call(listDrafts, {})).drafts).toMatchObject([{ kind: 'comment', topic: { id: questionId, kind: 'question' } }])
})

test('a member banned from topics neither accepts an answer, closes a question nor restores one', async () => {
  const mei = await forum.member()
  const questionId = await aQuestion(mei, tagId)
  const commentId = await anAnswer(tom, questionId)
  await chief.call(banMember, { memberId: mei.id, from: ['topic'], reason: 'Quarrels' })
  for (const isRefused of [
    await mei.isRefused(adoptAnswer, { questionId, commentId }, Banned, newIdempotencyKey()),
    await mei.isRefused(closeQuestion, { questionId, isClosed: true }, Banned),
    await mei.isRefused(restoreQuestion, { questionId }, Banned),
  ])
    expect(isRefused).toBe(true)
})

test('a moderator who changes only the tags of another’s question gives a reason, and its asker and the log have it', async () => {
  const keeper = await forum.member()
  await giveRole(forum.database, keeper.id, await aRole(forum.database, ['content.edit.any'], undefined))
  const also = await aTag(forum.database)
  const questionId = await aQuestion(ann, tagId)
  const { title, body } = await keeper.call(editableTopic, { topicId: questionId })
  const change = { questionId, title, body, tagIds: [also] }
  expect(await keeper.isRefused(editQuestion, change, ReasonNeeded)).toBe(true)
  await keeper.call(editQuestion, { ...change, reason: 'It belongs there, too.' })
  expect((await noticesOf(ann))[0]?.says).toMatchObject({ kind: 'postEdited', reason: 'It belongs there, too.' })
  expect((await forum.visitor().call(topicHistory, { topicId: questionId })).versions).toHaveLength(2)
  expect((await chief.call(auditLog, {})).rows[0]).toMatchObject({ action: 'topic.edit', about: `topic ${questionId}` })
})
