import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { memberView } from '#member/contract.ts'
import * as content from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import * as review from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

test('the record counts the same reviews as its list: without those still waiting', async () => {
  const forum = await aForum()
  const [chief, tom] = [await aStaffer(forum), await forum.member()]
  const topicId = await aTopic(tom, await aTag(forum.database))
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  for (let times = 0; times < 3; times++) await aComment(tom, topicId)
  const [one, two] = (await chief.call(review.reviewQueue, { author: tom.id })).rows
  if (!one || !two) throw new Error('They wait')
  await chief.call(review.rejectReview, { reviewId: one.id, version: one.version, reasonZh: '广告', reasonEn: 'It advertises.' })
  await chief.call(review.approveReview, { reviewId: two.id, version: two.version })
  const { record } = await chief.call(memberView, { memberId: tom.id })
  expect(record).toMatchObject({ reviewed: 2, rejected: 1 })
  expect((await chief.call(review.decidedReviews, { author: tom.id })).count).toBe(record.reviewed)
})

test('the record counts removals like the lists of posts: without restored ones', async () => {
  const forum = await aForum()
  const [chief, tom, ann] = [await aStaffer(forum), await forum.member(), await forum.member()]
  const topicId = await aTopic(ann, await aTag(forum.database))
  const [removed, back, purged] = [await aComment(tom, topicId), await aComment(tom, topicId), await aComment(tom, topicId)]
  const itsTopic = await aTopic(tom, await aTag(forum.database))
  for (const id of [removed, back, purged]) await chief.call(content.removeRemarkAsStaff, { kind: 'comment', id, reason: 'spam' })
  await chief.call(content.restoreRemark, { kind: 'comment', id: back })
  await chief.call(content.purgeRemark, { kind: 'comment', id: purged })
  await chief.call(content.removeTopicAsStaff, { topicId: itsTopic, reason: 'spam' })
  const { record } = await chief.call(memberView, { memberId: tom.id })
  const query = { author: tom.id, state: 'deletedByStaff' } as const
  const counts = await Promise.all([
    chief.call(topicsForStaff, query),
    chief.call(commentsForStaff, query),
    chief.call(repliesForStaff, query),
  ])
  expect([record.topicsRemoved, record.commentsRemoved, record.repliesRemoved]).toEqual(counts.map(({ count }) => count))
  expect(counts.map(({ count }) => count)).toEqual([1, 1, 0])
})
