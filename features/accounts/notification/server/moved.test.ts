import { beforeAll, expect, test } from 'vitest'
import { aForum, type Person } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { splitTopic } from '#content/move-contract.ts'
import { addLike } from '#like/contract.ts'
import { notificationList } from '#notification/notification-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum()
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  ;[chief, tagId] = [await aStaffer(forum), await aTag(forum.database)]
})

const listOf = async (member: Person) =>
  (await member.call(notificationList, {})).notifications.map(({ kind, people, post }) => [kind, people, post?.topicId])

test('a grouped notification stays in its thread while one of its events is there', async () => {
  const topicId = await aTopic(bo, tagId)
  const quoted = await aComment(mei, topicId)
  const { commentId: moved } = await tom.call(addComment, { topicId, body: says('And which cups?'), quotes: quoted })
  await bo.call(addComment, { topicId, body: says('A clay one'), quotes: quoted })
  const split = await chief.call(splitTopic, { topicId, commentIds: [moved], title: 'Which cups', tagId, reason: '' })
  expect(await listOf(mei)).toEqual([['quoted', 2, topicId]])
  expect(split.topicId).not.toBe(topicId)
})

test('a like of a topic joins the notification of the likes of its former comment', async () => {
  const topicId = await aTopic(bo, tagId)
  const commentId = await aComment(tom, topicId)
  await mei.call(addLike, { kind: 'comment', id: commentId })
  const { topicId: apart } = await chief.call(splitTopic, { topicId, commentIds: [commentId], title: 'On its own', tagId, reason: '' })
  await bo.call(addLike, { kind: 'topic', id: apart })
  expect((await listOf(tom)).filter(([kind]) => kind === 'liked')).toEqual([['liked', 2, apart]])
})
