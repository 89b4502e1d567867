import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import { topicForStaff } from '#content/contract.ts'
import { commentsForStaff, topicsForStaff } from '#content/list-contract.ts'
import * as contract from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { memberTopics, publishTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

test('a rejected post is shown as rejected, to its author and to staff, and does not wait', async () => {
  const forum = await aForum()
  const [chief, mei, tagId] = [await aStaffer(forum), await forum.member(), await aTag(forum.database)]
  const inTopic = await aTopic(mei, tagId)
  await transact(forum.database, (tx) => setting.change(tx, 'reviewTopics', 'everybody', 'test'))
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  const { topicId: waits } = await mei.call(publishTopic, { tagId, title: 'This one waits', body: says('Let me in') })
  const { topicId: rejected } = await mei.call(publishTopic, { tagId, title: 'This one is rejected', body: says('Buy my tea') })
  const { commentId } = await mei.call(addComment, { topicId: inTopic, body: says('Buy more tea') })
  const { rows } = await chief.call(contract.reviewQueue, { size: 200 })
  for (const { id, version } of rows.filter(({ postId, kind }) => postId === (kind === 'topic' ? rejected : commentId)))
    await chief.call(contract.rejectReview, { reviewId: id, version, reasonEn: 'It advertises.' })

  const own = (await mei.call(memberTopics, {})).topics.map(({ id, isPending, isRejected }) => [id, isPending, isRejected])
  expect(own).toEqual([
    [rejected, true, true],
    [waits, true, false],
    [inTopic, false, false],
  ])
  const listed = async (state: 'pending' | 'rejected') =>
    (await chief.call(topicsForStaff, { state })).rows.map((row) => [row.id, row.state])
  expect([await listed('pending'), await listed('rejected')]).toEqual([[[waits, 'pending']], [[rejected, 'rejected']]])
  expect((await chief.call(commentsForStaff, { state: 'rejected' })).rows).toMatchObject([{ id: commentId, state: 'rejected' }])
  expect(await chief.call(topicForStaff, { topicId: rejected })).toMatchObject({ state: 'rejected' })
})
