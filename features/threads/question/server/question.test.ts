import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { addComment, addReply, listComments, memberRemarks, movedThread, myThread, removeRemark } from '#comment/contract.ts'
import {
  addPostscript,
  adoptAnswer,
  askQuestion,
  closeQuestion,
  editQuestion,
  listQuestions,
  myQuestion,
  question,
  similarQuestions,
} from '#question/contract.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { listTopics, memberTopics, removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let [ann, tom, eve] = [] as unknown as [Person, Person, Person]
let tagId = ''
beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[ann, tom, eve] = [await forum.member(), await forum.member(), await forum.member()]
})

const stateOf = async (questionId: string) => (await forum.visitor().call(question, { questionId })).state
const listed = async (query: { tagId?: string; state?: 'unanswered' | 'unresolved' | 'resolved' }) =>
  (await forum.visitor().call(listQuestions, query)).questions.map(({ id }) => id)

test('a question is unanswered, then unresolved, then resolved by the answer that its asker adopts', async () => {
  const questionId = await aQuestion(ann, tagId)
  expect(await stateOf(questionId)).toBe('unanswered')
  const first = await anAnswer(tom, questionId)
  const second = await anAnswer(eve, questionId)
  expect(await stateOf(questionId)).toBe('unresolved')
  await ann.call(adoptAnswer, { questionId, commentId: second }, newIdempotencyKey())
  const view = await forum.visitor().call(question, { questionId })
  expect((await eve.call(memberRemarks, { kind: 'comment', thread: 'question' })).remarks).toMatchObject([
    { commentId: second, isBest: true },
  ])
  expect(view).toMatchObject({ state: 'resolved', bestId: second })
  await ann.call(adoptAnswer, { questionId, commentId: first }, newIdempotencyKey())
  expect((await forum.visitor().call(question, { questionId })).bestId).toBe(first)
  await ann.call(adoptAnswer, { questionId }, newIdempotencyKey())
  expect(await stateOf(questionId)).toBe('unresolved')
})

test('the first page of answers has the accepted one with it, even if it is on another page', async () => {
  const questionId = await aQuestion(ann, tagId)
  const ids: string[] = []
  for (let floor = 1; floor <= 6; floor++) ids.push(await anAnswer(tom, questionId, `Answer ${floor}`))
  await ann.call(adoptAnswer, { questionId, commentId: ids[5] ?? '' }, newIdempotencyKey())
  const page = async (number: number) => {
    const { comments, best } = await forum.visitor().call(listComments, { topicId: questionId, page: number })
    return [comments.map(({ id }) => id), best?.id ?? null]
  }
  expect(await page(1)).toEqual([ids, null])
  await transact(forum.database, (tx) => applySettings(tx, { commentsPerPage: 5 }))
  const pages = [await page(1), await page(2)]
  await transact(forum.database, (tx) => applySettings(tx, { commentsPerPage: 30 }))
  expect(pages).toEqual([
    [ids.slice(0, 5), ids[5]],
    [ids.slice(5), null],
  ])
})

test('only the asker adopts, no answer of their own, and nothing that is not there', async () => {
  const questionId = await aQuestion(ann, tagId)
  const [own, other] = [await anAnswer(ann, questionId), await anAnswer(tom, questionId)]
  const elsewhere = await anAnswer(tom, await aQuestion(ann, tagId))
  expect((await tom.tryCall(adoptAnswer, { questionId, commentId: other }, newIdempotencyKey())).status).toBe(403)
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId: own }, newIdempotencyKey())).status).toBe(422)
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId: elsewhere }, newIdempotencyKey())).status).toBe(404)
  await tom.call(removeRemark, { kind: 'comment', id: other })
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId: other }, newIdempotencyKey())).status).toBe(404)
  expect((await ann.tryCall(adoptAnswer, { questionId: await aTopic(ann, tagId), commentId: own }, newIdempotencyKey())).status).toBe(404)
  expect(await stateOf(questionId)).toBe('unresolved')
})

test('an accepted answer stays accepted after a day, and ends when the answer leaves the page', async () => {
  const questionId = await aQuestion(ann, tagId)
  const [first, second] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId)]
  await ann.call(adoptAnswer, { questionId, commentId: first }, newIdempotencyKey())
  await forum.database.app
    .updateTable('adoption')
    .set({ adopted_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('topic_id', '=', questionId)
    .execute()
  expect((await ann.tryCall(adoptAnswer, { questionId, commentId: second }, newIdempotencyKey())).status).toBe(422)
  expect(await ann.call(myQuestion, { questionId })).toMatchObject({ isAsker: true, mayAdopt: false })
  await tom.call(removeRemark, { kind: 'comment', id: first })
  expect(await stateOf(questionId)).toBe('unresolved')
  await ann.call(adoptAnswer, { questionId, commentId: second }, newIdempotencyKey())
  expect(await stateOf(questionId)).toBe('resolved')
})

test('two acceptances at once have one outcome', async () => {
  for (let round = 0; round < 6; round++) {
    const questionId = await aQuestion(ann, tagId)
    const [first, second] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId)]
    await Promise.all([
      ann.tryCall(adoptAnswer, { questionId, commentId: first }, newIdempotencyKey()),
      ann.tryCall(adoptAnswer, { questionId, commentId: second }, newIdempotencyKey()),
      tom.tryCall(removeRemark, { kind: 'comment', id: first }),
    ])
    const { state, bestId } = await forum.visitor().call(question, { questionId })
    expect([
      ['resolved', second],
      ['unresolved', null],
    ]).toContainEqual([state, bestId])
    expect(await listed({ state: state === 'resolved' ? state : 'unresolved' })).toContain(questionId)
  }
})

describe('a list of questions', () => {
  test('has those of each state, the latest answered first', async () => {
    const here = await aTag(forum.database)
    const [bare, open, solved] = [await aQuestion(ann, here), await aQuestion(ann, here), await aQuestion(ann, here)]
    await anAnswer(tom, open)
    const best = await anAnswer(tom, solved)
    await ann.call(adoptAnswer, { questionId: solved, commentId: best }, newIdempotencyKey())
    await aTopic(ann, here)
    expect(await listed({ tagId: here })).toEqual([solved, open, bare])
    expect(await listed({ tagId: here, state: 'unanswered' })).toEqual([bare])
    expect(await listed({ tagId: here, state: 'unresolved' })).toEqual([open, bare])
    expect(await listed({ tagId: here, state: 'resolved' })).toEqual([solved])
    expect((await listed({ state: 'unresolved' })).slice(0, 2)).toEqual([open, bare])
    expect((await listed({})).slice(0, 3)).toEqual([solved, open, bare])
    await tom.call(removeRemark, { kind: 'comment', id: best })
    await ann.call(removeTopic, { topicId: solved })
    expect(await listed({ tagId: here, state: 'resolved' })).toEqual([])
    expect(await listed({ tagId: here })).toEqual([open, bare])
  })

  test('finds a question under each of its tags, if its reader has access to the first', async () => {
    const [place, also] = [await aClosedTag(forum.database), await aTag(forum.database)]
    for (const right of ['question.ask', 'answer.post'])
      await forum.database.app.insertInto('role_right').values({ role_id: place.roleId, right_name: right, tag_id: place.tagId }).execute()
    await place.admit(ann.id)
    const secret = await aQuestion(ann, place.tagId, { tagIds: [also] })
    const open = await aQuestion(ann, tagId, { tagIds: [also] })
    expect(await listed({ tagId: also })).toEqual([open])
    expect((await ann.call(listQuestions, { tagId: also })).questions.map(({ id, tags }) => [id, tags.length])).toEqual([
      [open, 2],
      [secret, 2],
    ])
    expect((await forum.visitor().tryCall(question, { questionId: secret })).status).toBe(404)
  })

  test('names a closed tag only to members with access, who alone may put a question there', async () => {
    const place = await aClosedTag(forum.database)
    const secret = { tagId, tagIds: [place.tagId, tagId], title: 'Who sees where this lies', body: says('Who?') }
    expect((await ann.tryCall(askQuestion, secret)).status).toBe(422)
    await place.admit(ann.id)
    expect((await ann.tryCall(askQuestion, secret)).status).toBe(422)
    await transact(forum.database, async (tx) => {
      await tx.insertInto('role_right').values({ role_id: place.roleId, right_name: 'question.ask', tag_id: place.tagId }).execute()
      invalidate(tx, 'role')
    })
    const { questionId } = await ann.call(askQuestion, secret)
    const tagsFor = async (reader: Pick<Person, 'call'>) => {
      const { questions } = await reader.call(listQuestions, { tagId })
      const { tags } = await reader.call(question, { questionId })
      return [tags, questions.find(({ id }) => id === questionId)?.tags ?? []].map((its) => its.map(({ id }) => id))
    }
    expect(await tagsFor(ann)).toEqual([
      [tagId, place.tagId],
      [tagId, place.tagId],
    ])
    expect(await tagsFor(forum.visitor())).toEqual([[tagId], [tagId]])
  })

  test('has as many tags as the site says, its own among them', async () => {
    const tags = await Promise.all(Array.from({ length: 5 }, () => aTag(forum.database)))
    expect(await ann.tryCall(askQuestion, { tagId, tagIds: tags, title: 'Too many tags', body: says('Why?') })).toMatchObject({
      status: 422,
    })
    const questionId = await aQuestion(ann, tagId, { tagIds: [tagId, ...tags.slice(1)] })
    await ann.call(editQuestion, { questionId, tagIds: tags.slice(0, 1), title: 'Fewer tags now', body: says('Why?') })
    const { tags: now } = await forum.visitor().call(question, { questionId })
    expect(now.map(({ id }) => id)).toEqual([tagId, tags[0]])
    await ann.call(editQuestion, { questionId, title: 'The same tags', body: says('Why?') })
    expect((await forum.visitor().call(question, { questionId })).tags.map(({ id }) => id)).toEqual([tagId, tags[0]])
    await ann.call(editQuestion, { questionId, tagIds: [], title: 'No further tags', body: says('Why?') })
    expect((await forum.visitor().call(question, { questionId })).tags.map(({ id }) => id)).toEqual([tagId])
  })
})

test('only the asker adds numbered postscripts to a question', async () => {
  const questionId = await aQuestion(ann, tagId)
  expect(await ann.call(addPostscript, { questionId, body: says('It was green tea.') })).toEqual({ number: 1 })
  expect(await ann.call(addPostscript, { questionId, body: says('From Hangzhou.') })).toEqual({ number: 2 })
  expect((await tom.tryCall(addPostscript, { questionId, body: says('Not mine.') })).status).toBe(403)
  const { postscripts } = await forum.visitor().call(thread, { topicId: questionId })
  expect(postscripts.map(({ number, segments }) => [number, segments.map((one) => one.html).join('')])).toEqual([
    [1, '<p>It was green tea.</p>'],
    [2, '<p>From Hangzhou.</p>'],
  ])
})

test('adding a postscript takes the right to edit, and the waiting time of comments', async () => {
  const questionId = await aQuestion(ann, tagId)
  const add = () => ann.tryCall(addPostscript, { questionId, body: says('It was green tea.') })
  await transact(forum.database, (tx) => applySettings(tx, { secondsBetweenComments: 60, newMemberSecondsBetweenComments: 60 }))
  const statuses = [(await add()).status, (await add()).status]
  await transact(forum.database, (tx) => applySettings(tx, { secondsBetweenComments: 0, newMemberSecondsBetweenComments: 0 }))
  expect(statuses).toEqual([200, 429])
  expect((await ann.call(home, {})).counts).toMatchObject({ answers: 0, comments: 0 })
  const edits = (to: boolean) =>
    transact(forum.database, async (tx) => {
      const right = {
        role_id: (await tx.selectFrom('role').select('id').where('is_default', '=', true).executeTakeFirstOrThrow()).id,
        right_name: 'question.edit',
      }
      if (to) await tx.insertInto('role_right').values(right).execute()
      else await tx.deleteFrom('role_right').where('role_id', '=', right.role_id).where('right_name', '=', right.right_name).execute()
      invalidate(tx, 'role')
    })
  await edits(false)
  const refused = [(await add()).status, (await ann.call(myQuestion, { questionId })).mayAdd]
  await edits(true)
  expect(refused).toEqual([403, false])
})

test('an asker closes a question for answers and opens it again', async () => {
  const questionId = await aQuestion(ann, tagId)
  expect((await tom.tryCall(closeQuestion, { questionId, isClosed: true })).status).toBe(403)
  await ann.call(closeQuestion, { questionId, isClosed: true })
  expect((await forum.visitor().call(thread, { topicId: questionId })).takesComments).toBe(false)
  expect((await tom.tryCall(addComment, { topicId: questionId, body: says('Too late.') })).status).toBe(422)
  await ann.call(closeQuestion, { questionId, isClosed: false })
  await anAnswer(tom, questionId)
  await forum.database.app.updateTable('topic').set({ takes_comments: false, closed_by: null }).where('id', '=', questionId).execute()
  expect((await ann.tryCall(closeQuestion, { questionId, isClosed: false })).status).toBe(422)
  expect(await ann.call(myQuestion, { questionId })).toMatchObject({ mayClose: false })
})

test('without the right to close questions, askers can still reopen their closed ones', async () => {
  const [questionId, other] = [await aQuestion(ann, tagId), await aQuestion(ann, tagId)]
  await ann.call(closeQuestion, { questionId, isClosed: true })
  await transact(forum.database, (tx) => applySettings(tx, { allowQuestionClosing: false }))
  const refused = await ann.isRefused(closeQuestion, { questionId: other, isClosed: true }, FunctionClosed)
  const { mayClose } = await ann.call(myQuestion, { questionId: other })
  await ann.call(closeQuestion, { questionId, isClosed: false })
  await transact(forum.database, (tx) => applySettings(tx, { allowQuestionClosing: true }))
  expect([refused, mayClose]).toEqual([true, false])
})

test('a question that is closed is marked on its page and in lists', async () => {
  const questionId = await aQuestion(ann, tagId)
  const marks = async () => [
    (await forum.visitor().call(thread, { topicId: questionId })).isClosed,
    (await forum.visitor().call(listQuestions, {})).questions.find(({ id }) => id === questionId)?.isClosed,
  ]
  expect(await marks()).toEqual([false, false])
  await ann.call(closeQuestion, { questionId, isClosed: true })
  expect(await marks()).toEqual([true, true])
})

test('an asker removes a question; one answered by others keeps its place, marked', async () => {
  const [bare, answered] = [await aQuestion(ann, tagId), await aQuestion(ann, tagId, { title: 'Which water' })]
  await anAnswer(ann, bare, 'It was the water.')
  expect(await ann.call(removeTopic, { topicId: bare })).toEqual({ isWithdrawn: false })
  expect((await forum.visitor().tryCall(question, { questionId: bare })).status).toBe(404)

  const commentId = await anAnswer(tom, answered)
  expect(await ann.call(removeTopic, { topicId: answered })).toEqual({ isWithdrawn: true })
  expect((await forum.visitor().call(listComments, { topicId: answered })).comments.map(({ id }) => id)).toEqual([commentId])
  expect(await forum.visitor().call(thread, { topicId: answered })).toMatchObject({
    title: 'Which water',
    segments: [],
    takesComments: false,
  })
  expect(await stateOf(answered)).toBe('withdrawn')
  expect((await tom.tryCall(addComment, { topicId: answered, body: says('Late.') })).status).toBe(422)
  const listedHere = async (state: 'unanswered' | 'unresolved' | 'resolved') => (await listed({ state })).includes(answered)
  expect([await listedHere('unanswered'), await listedHere('unresolved'), await listedHere('resolved')]).toEqual([false, false, false])
  expect(await listed({})).toContain(answered)
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await stateOf(answered)).toBe('withdrawn')
})

test('answers and comments are counted and listed separately', async () => {
  const someone = await forum.member()
  const questionId = await aQuestion(someone, tagId)
  const topicId = await aTopic(someone, tagId)
  const commentId = await anAnswer(someone, questionId)
  await someone.call(addReply, { commentId, body: says('And with less water.') })
  expect((await someone.call(memberTopics, {})).topics.map(({ id }) => id)).toEqual([topicId])
  expect((await someone.call(memberTopics, { kind: 'question' })).topics.map(({ id }) => id)).toEqual([questionId])
  expect((await someone.call(memberRemarks, { kind: 'comment' })).remarks).toEqual([])
  expect((await someone.call(memberRemarks, { kind: 'comment', thread: 'question' })).remarks).toMatchObject([{ commentId, isBest: false }])
  expect((await someone.call(home, {})).counts).toMatchObject({ topics: 1, comments: 0, questions: 1, answers: 1, adopted: 0 })
  expect(await forum.visitor().call(thread, { topicId: questionId })).toMatchObject({ kind: 'question' })
  expect((await forum.visitor().call(listTopics, { tagId })).topics.find(({ id }) => id === questionId)).toMatchObject({ kind: 'question' })
  expect((await forum.visitor().call(listComments, { topicId: questionId })).comments.map(({ id }) => id)).toEqual([commentId])
  expect((await someone.call(myThread, { topicId: questionId, commentIds: [commentId] })).comments.edit).toEqual([commentId])
  expect((await forum.visitor().tryCall(movedThread, { topicId: questionId })).status).toBe(404)
})

test('answers are counted without their replies', async () => {
  const questionId = await aQuestion(ann, tagId, { title: 'Which kettle keeps oolong at ninety degrees' })
  await tom.call(addReply, { commentId: await anAnswer(tom, questionId), body: says('Or a thermos.') })
  const [card] = (await forum.visitor().call(listQuestions, { tagId })).questions
  const [alike] = (await eve.call(similarQuestions, { title: 'kettle oolong ninety degrees' })).questions
  expect([card, alike]).toMatchObject([
    { id: questionId, commentCount: 1 },
    { id: questionId, answerCount: 1 },
  ])
})

test('a typed title lists similar questions, with their accepted answers', async () => {
  const questionId = await aQuestion(ann, tagId, { title: 'How long does longjing steep in a gaiwan' })
  await ann.call(
    adoptAnswer,
    { questionId, commentId: await anAnswer(tom, questionId, 'Two minutes at eighty degrees.') },
    newIdempotencyKey(),
  )
  await aTopic(ann, tagId, { title: 'Longjing in a gaiwan, with pictures' })
  const { questions } = await eve.call(similarQuestions, { title: 'longjing gaiwan how long?' })
  expect(questions).toEqual([
    {
      id: questionId,
      title: 'How long does longjing steep in a gaiwan',
      state: 'resolved',
      answerCount: 1,
      best: 'Two minutes at eighty degrees.',
    },
  ])
})
