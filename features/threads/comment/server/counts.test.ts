import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { freshCounts, markRead } from '#comment/reading-contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { topicAuthor } from '#topic/similar-contract.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile, home } from '#user/contract.ts'

const forum = await aForum()

test('a page counts only posts that its reader would find: none in closed tags, none of members who hide their activity', async () => {
  const [ann, tom] = [await forum.member(), await forum.member()]
  const closed = await aClosedTag(forum.database)
  await closed.admit(ann.id)
  const open = await aTopic(ann, await aTag(forum.database))
  const secret = await aTopic(ann, closed.tagId)
  for (const topicId of [open, secret, secret]) await aComment(ann, topicId)
  const removedCommentId = await aComment(ann, open)
  await aReply(ann, removedCommentId)
  await ann.call(removeRemark, { kind: 'comment', id: removedCommentId })

  const none = { questions: 0, answers: 0, adopted: 0 }
  const all = { topics: 2, comments: 3, replies: 1, ...none }
  const expectedCounts = { topics: 1, comments: 1, replies: 1, ...none }
  expect(await ann.call(home, {})).toMatchObject({ counts: all, level: { points: 40, nextAt: expect.any(Number) } })
  for (const reader of [tom, forum.visitor()]) {
    const page = await reader.call(home, { userId: ann.id })
    expect(page).toMatchObject({ counts: expectedCounts, level: { points: null, nextAt: null } })
    expect((await reader.call(topicAuthor, { topicId: open })).counts).toEqual(expectedCounts)
  }
  await closed.admit(tom.id)
  expect((await tom.call(home, { userId: ann.id })).counts).toEqual(all)
  await ann.call(editProfile, { nickname: '', showsActivity: false })
  expect((await tom.call(home, { userId: ann.id })).counts).toBeNull()
  expect((await ann.call(home, {})).counts).toEqual(all)
})

test('a member’s own comment is not new to them', async () => {
  const [ann, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(ann, await aTag(forum.database))
  await aComment(tom, topicId)
  await ann.call(markRead, { topicId, floor: 1 })
  await aComment(ann, topicId)
  expect(await ann.call(freshCounts, { topicIds: [topicId] })).toEqual({ topics: [{ topicId, readTo: 2, fresh: 0, isUnread: false }] })
  expect(await tom.call(freshCounts, { topicIds: [topicId] })).toEqual({ topics: [{ topicId, readTo: 1, fresh: 1, isUnread: false }] })
})

test('a removed comment is not new', async () => {
  const [ann, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(ann, await aTag(forum.database))
  await tom.call(markRead, { topicId, floor: 0 })
  await aComment(ann, topicId)
  await ann.call(removeRemark, { kind: 'comment', id: await aComment(ann, topicId) })
  expect(await tom.call(freshCounts, { topicIds: [topicId] })).toEqual({ topics: [{ topicId, readTo: 0, fresh: 1, isUnread: false }] })
})

test('a thread shows how many of its posts are replies', async () => {
  const ann = await forum.member()
  const topicId = await aTopic(ann, await aTag(forum.database))
  const commentId = await aComment(ann, topicId)
  const [first] = [await aReply(ann, commentId), await aReply(ann, commentId)]
  expect(await ann.call(thread, { topicId })).toMatchObject({ commentCount: 3, replyCount: 2 })
  await ann.call(removeRemark, { kind: 'reply', id: first })
  expect(await ann.call(thread, { topicId })).toMatchObject({ commentCount: 2, replyCount: 1 })
})
