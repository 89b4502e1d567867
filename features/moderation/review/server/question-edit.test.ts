import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aForum } from '#base/testing/forum.ts'
import { addPostscript, editQuestion, question } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { approveReview, openReview, reviewQueue } from '#review/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editableTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

test('the further tags of a question wait with its edit, and staff see them beside those it has', async () => {
  const forum = await aForum()
  const [chief, ann] = [await aStaffer(forum), await forum.member()]
  const [tagId, before, after] = [await aTag(forum.database), await aTag(forum.database), await aTag(forum.database)]
  const questionId = await aQuestion(ann, tagId, { title: 'Which tag', tagIds: [before] })
  await ann.call(addPostscript, { questionId, body: says('It was green tea.') })
  await transact(forum.database, (tx) => applySettings(tx, { reviewQuestions: 'everybody' }))
  const tagsNow = async () => (await forum.visitor().call(question, { questionId })).tags.map(({ id }) => id)

  const edit = { questionId, tagIds: [after], title: 'Which tag', body: says('What is asked by question 1?') }
  expect((await ann.call(editQuestion, edit)).isPending).toBe(true)
  expect(await tagsNow()).toEqual([tagId, before])
  expect((await ann.call(editableTopic, { topicId: questionId })).tagIds).toEqual([after])

  const [waiting] = (await chief.call(reviewQueue, {})).rows
  const { id: reviewId, version } = waiting ?? { id: '', version: 0 }
  const opened = await chief.call(openReview, { reviewId })
  expect(opened).toMatchObject({ tags: [{ id: after }], present: { tags: [{ id: before }] }, postscripts: [{ number: 1 }] })
  await chief.call(approveReview, { reviewId, version })
  expect(await tagsNow()).toEqual([tagId, after])
  expect((await ann.call(editableTopic, { topicId: questionId })).tagIds).toEqual([after])
})
