import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { visible } from '#post/server/visible.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum()
const { app } = forum.database
const [mei, tom] = [await forum.member(), await forum.member()]
const [open, closed] = [await aTag(forum.database), await aTag(forum.database)]
const viewer = { where: () => ({ except: [closed] }) }

async function aThread(tagId: string) {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  const replyId = await aReply(mei, commentId)
  const posts = [
    { kind: 'topic', id: topicId },
    { kind: 'comment', id: commentId },
    { kind: 'reply', id: replyId },
  ] as const
  return { topicId, commentId, replyId, posts }
}

test('published posts of every kind are visible, each with its place, and none in a tag that is closed to the viewer', async () => {
  const [thread, other] = [await aThread(open), await aThread(closed)]
  const found = await visible(app, viewer, [...thread.posts, ...other.posts])
  expect([...found.keys()]).toEqual(thread.posts.map(({ kind, id }) => `${kind} ${id}`))
  const { topicId, commentId, replyId } = thread
  expect(found.get(`topic ${topicId}`)).toMatchObject({ thread: 'topic', topicId, commentId: null, authorId: mei.id })
  expect(found.get(`comment ${commentId}`)).toMatchObject({ topicId, commentId, excerpt: 'A remark.', authorId: tom.id })
  expect(found.get(`reply ${replyId}`)).toMatchObject({ topicId, commentId, excerpt: 'Indeed.', authorId: mei.id })
})

test('a removed post is visible to nobody, and so is a post in a removed thread', async () => {
  const { topicId, commentId, posts } = await aThread(open)
  await sql`update comment set status = 'deleted', deleted_by = 'staff' where id = ${commentId}`.execute(app)
  expect((await visible(app, viewer, posts)).has(`comment ${commentId}`)).toBe(false)
  await sql`update topic set status = 'deleted', deleted_by = 'staff' where id = ${topicId}`.execute(app)
  expect([...(await visible(app, viewer, posts)).keys()]).toEqual([])
})

test('of no post nothing is asked', async () => {
  expect([...(await visible(app, viewer, [])).keys()]).toEqual([])
})
