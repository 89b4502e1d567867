import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { addLike } from '#like/contract.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import { latestNotifications, markAllAsRead, maxLatest } from '#notification/latest-contract.ts'
import { markNotifications } from '#notification/notification-contract.ts'
import { aNotice } from '#notification/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

const listOf = async (who: Person) => (await who.call(latestNotifications, {})).notifications
const kinds = async (who: Person) => (await listOf(who)).map(({ notification, notice }) => notification?.kind ?? notice?.says.kind)

test('the bell has notifications and notices in one list, newest first, ten of them at most', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  expect(await kinds(mei)).toEqual([])
  await aComment(tom, topicId)
  await aNotice(chief, 'Tea at five')
  await tom.call(addLike, { kind: 'topic', id: topicId })
  expect(await kinds(mei)).toEqual(['liked', 'announcement', 'commented'])
  for (let one = 0; one < maxLatest; one++) await aNotice(chief, `Tea at ${one}`)
  expect(await kinds(mei)).toEqual(Array.from({ length: maxLatest }, () => 'announcement'))
})

test('a notification is read by itself, or all of both sorts at once, and none of other members', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  await aComment(tom, topicId)
  await tom.call(addLike, { kind: 'topic', id: topicId })
  await aNotice(chief, 'Tea at six')
  const isRead = async () =>
    (await listOf(mei)).map(({ notification, notice }) => (notification?.readAt ?? notice?.readAt ?? null) !== null)
  expect(await isRead()).toEqual([false, false, false])
  const liked = (await listOf(mei)).find(({ notification }) => notification?.kind === 'liked')?.notification?.id ?? ''
  await mei.call(markNotifications, { notificationIds: [liked] })
  expect(await isRead()).toEqual([false, true, false])
  await mei.call(markAllAsRead, {})
  expect(await isRead()).toEqual([true, true, true])
  expect(await mei.call(unreadMessageCount, {})).toMatchObject({ remindCount: 0, systemNotifyCount: 0 })
  expect((await tom.call(unreadMessageCount, {})).systemNotifyCount).toBe(1)
})

test('a visitor has none, and marks none', async () => {
  for (const call of [latestNotifications, markAllAsRead]) expect((await forum.visitor().tryCall(call, {})).status).toBe(401)
})
