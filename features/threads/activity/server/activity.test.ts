import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { best, userDynamicList } from '#activity/contract.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { nameOf, type Kind } from '#kind/contract.ts'
import { addLike } from '#like/contract.ts'
import { tallies } from '#post/server/tally.ts'
import { aQuestion, anAnswer } from '#question/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { ActivityHidden, editProfile } from '#user/contract.ts'

let forum: Forum
let tagId: string
let [mei, tom] = [] as unknown as [Person, Person]

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
})

const writtenBy = async (person: Person, reader: Pick<Person, 'call'> = forum.visitor()) =>
  (await reader.call(userDynamicList, { userId: person.id })).posts

/** One of all six kinds, by one member. */
async function everyKind(author: Person) {
  const topicId = await aTopic(author, tagId)
  const commentId = await aComment(author, topicId)
  const replyId = await aReply(author, commentId)
  const questionId = await aQuestion(author, tagId)
  const answerId = await anAnswer(author, questionId)
  const answerReplyId = await aReply(author, answerId)
  return { topicId, commentId, replyId, questionId, answerId, answerReplyId }
}

test('a member’s posts are one list of all six kinds, newest first, each with a link to its place', async () => {
  const { topicId, commentId, replyId, questionId, answerId, answerReplyId } = await everyKind(mei)
  await aTopic(tom, tagId)
  const posts = await writtenBy(mei)
  expect(posts.map((post) => [nameOf(post), post.id, post.topicId, post.commentId])).toEqual([
    ['answerReply', answerReplyId, questionId, answerId],
    ['answer', answerId, questionId, answerId],
    ['question', questionId, questionId, null],
    ['reply', replyId, topicId, commentId],
    ['comment', commentId, topicId, commentId],
    ['topic', topicId, topicId, null],
  ])
  expect(await mei.call(userDynamicList, {})).toMatchObject({ user: { id: mei.id }, posts, next: null })
})

test('the list has no post that is hidden, or without access for the reader', async () => {
  const { topicId, commentId, questionId } = await everyKind(mei)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect((await writtenBy(mei)).map(nameOf)).not.toContain('comment')
  await mei.call(removeTopic, { topicId })
  expect((await writtenBy(mei)).map(nameOf)).toEqual(['answerReply', 'answer', 'question'])
  const { tagId: closed, admit } = await aClosedTag(forum.database)
  await admit(tom.id)
  await sql`update topic set tag_id = ${closed} where id = ${questionId}`.execute(forum.database.app)
  expect(await writtenBy(mei)).toEqual([])
  expect(await writtenBy(mei, tom)).toHaveLength(3)
})

test('others read it only if its member shows it', async () => {
  await aTopic(mei, tagId)
  await mei.call(editProfile, { nickname: '', showsActivity: false })
  expect(await tom.isRefused(userDynamicList, { userId: mei.id }, ActivityHidden)).toBe(true)
  expect((await mei.call(userDynamicList, {})).posts).toHaveLength(1)
  expect((await forum.visitor().tryCall(userDynamicList, {})).status).toBe(401)
  expect((await tom.tryCall(userDynamicList, { userId: '999999' })).status).toBe(404)
})

test('page after page it has everything once', async () => {
  const topicId = await aTopic(tom, tagId)
  await sql`
    insert into comment (topic_id, author_id, floor, body, segments, text, published_at)
    select ${topicId}, ${mei.id}, n, '{}', '[]', 'Said ' || n, now() - make_interval(mins => n / 3) from generate_series(1, 70) as n`.execute(
    forum.database.app,
  )
  const seen: string[] = []
  let before: string | undefined
  do {
    const { posts, next } = await tom.call(userDynamicList, { userId: mei.id, ...(before && { before }) })
    seen.push(...posts.map(({ excerpt }) => excerpt))
    before = next ?? undefined
  } while (before)
  expect(seen).toHaveLength(70)
  expect(new Set(seen).size).toBe(70)
})

/** Adds this number of likes, and applies them to the counter. */
async function liked(kind: Kind, id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await (await forum.member()).call(addLike, { kind, id })
  await tallies.write(forum.database)
}

test('the best topics and answers of a member come first by their likes, a few of them, without comments and replies', async () => {
  const { topicId, commentId, questionId, answerId } = await everyKind(mei)
  const fourth = await aTopic(mei, tagId)
  await liked('topic', topicId, 2)
  await liked('topic', questionId, 3)
  await liked('comment', answerId, 4)
  await liked('comment', commentId, 5)
  await liked('topic', fourth, 1)
  const { posts } = await forum.visitor().call(best, { userId: mei.id })
  expect(posts.map((post) => [nameOf(post), post.id, post.likes])).toEqual([
    ['answer', answerId, 4],
    ['question', questionId, 3],
    ['topic', topicId, 2],
  ])
  expect(posts[0]).toMatchObject({ topicId: questionId, commentId: answerId })
  expect((await mei.call(best, {})).posts).toEqual(posts)
  await mei.call(removeTopic, { topicId })
  expect((await tom.call(best, { userId: mei.id })).posts.map(({ id }) => id)).toEqual([answerId, questionId, fourth])
})

test('the best of a member is only for readers with access', async () => {
  const { questionId, answerId, topicId } = await everyKind(mei)
  await liked('topic', questionId, 1)
  await liked('comment', answerId, 1)
  await liked('topic', topicId, 1)
  const { tagId: closed, admit } = await aClosedTag(forum.database)
  await admit(tom.id)
  await sql`update topic set tag_id = ${closed} where id = ${questionId}`.execute(forum.database.app)
  expect((await mei.call(best, {})).posts.map(({ id }) => id)).toEqual([topicId])
  expect((await tom.call(best, { userId: mei.id })).posts).toHaveLength(3)
  await mei.call(editProfile, { nickname: '', showsActivity: false })
  expect(await tom.isRefused(best, { userId: mei.id }, ActivityHidden)).toBe(true)
  expect((await mei.call(best, {})).posts).toHaveLength(1)
  expect((await forum.visitor().tryCall(best, {})).status).toBe(401)
  expect((await tom.tryCall(best, { userId: '999999' })).status).toBe(404)
})

test('a cached profile shows no removed post to visitors', async () => {
  const [topicId, questionId] = [await aTopic(mei, tagId), await aQuestion(mei, tagId)]
  const answerId = await anAnswer(mei, questionId)
  await liked('topic', topicId, 1)
  const page = async () => (await forum.app.inject(`/user/control/home?userId=${mei.id}`)).body
  expect(await page()).toContain(`/thread?topicId=${topicId}`)
  expect(await page()).toContain(`commentId=${answerId}`)
  await mei.call(removeTopic, { topicId })
  expect(await page()).not.toContain(`/thread?topicId=${topicId}`)
  await mei.call(removeRemark, { kind: 'comment', id: answerId })
  expect(await page()).not.toContain(`commentId=${answerId}`)
})
