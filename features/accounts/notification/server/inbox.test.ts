import { afterEach, beforeAll, expect, test } from 'vitest'
import { changePassword, endOtherSessions, login, logout } from '#account/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { sessionOf } from '#base/testing/session.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { aComment } from '#comment/testing/factories.ts'
import { removeRemark } from '#comment/contract.ts'
import { addLike, removeLike } from '#like/contract.ts'
import { aNotice } from '#notification/testing/factories.ts'
import { jobs } from '#notification/server/jobs.ts'
import { removeNotices } from '#notification/staff-contract.ts'
import { markAllNotifications } from '#notification/notification-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { moveTopic } from '#content/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let url: string
let tagId: string
const open: EventListener[] = []
const next = 'rain-on-the-roof'

beforeAll(async () => {
  forum = await aForum()
  await forum.database.invalidations.listen(() => undefined)
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  tagId = await aTag(forum.database)
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function listen(as?: Pick<Person, 'pair'>): Promise<EventListener> {
  const listener = await eventListener(
    (how) => fetch(`${url}/api/user/control/inboxNews`, how),
    as?.pair ? { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` } : {},
  )
  open.push(listener)
  return listener
}

const latest = (listener: EventListener) => (JSON.parse(listener.events().at(-1)?.data ?? '{}') as { remindCount?: number }).remindCount

test('the number of unread is sent to each member alone, as it changes, in all their tabs', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  const [one, two, other] = [await listen(mei), await listen(mei), await listen(tom)]
  for (const listener of [one, two, other]) await expect.poll(() => latest(listener)).toBe(0)
  const commentId = await aComment(tom, topicId)
  for (const listener of [one, two]) await expect.poll(() => latest(listener)).toBe(1)
  const of = { kind: 'topic', id: topicId } as const
  await tom.call(addLike, of)
  await expect.poll(() => latest(one)).toBe(2)
  await tom.call(removeLike, of)
  await expect.poll(() => latest(one)).toBe(1)
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  await expect.poll(() => latest(two)).toBe(0)
  await aComment(tom, topicId)
  await expect.poll(() => latest(one)).toBe(1)
  await mei.call(markAllNotifications, {})
  for (const listener of [one, two]) await expect.poll(() => latest(listener)).toBe(0)
  expect(other.events()).toHaveLength(1)
})

test('a member whose rights change gets the new count', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const chief = await aStaffer(forum)
  const { tagId: closed, admit } = await aClosedTag(forum.database)
  const topicId = await aTopic(mei, tagId)
  await aComment(tom, topicId)
  await chief.call(moveTopic, { topicId, tagId: closed, reason: 'It belongs there' })
  const listener = await listen(mei)
  await expect.poll(() => latest(listener)).toBe(0)
  await admit(mei.id)
  await expect.poll(() => latest(listener)).toBe(1)
})

test.each<[string, (mei: Person, visitor: Visitor) => Promise<unknown>]>([
  ['is logged out elsewhere', (mei) => mei.call(endOtherSessions, {})],
  ['is logged out there', (_, visitor) => visitor.call(logout, {})],
  ['loses it to another password', (mei) => mei.call(changePassword, { oldPassword: mei.password, password: next, passwordAgain: next })],
])('a listener who %s gets no more events', async (_, end) => {
  const [mei, visitor] = [await forum.member(), forum.visitor()]
  visitor.pair = sessionOf(await visitor.call(login, { account: mei.account, password: mei.password }))
  const listener = await listen(visitor)
  await expect.poll(() => latest(listener)).toBe(0)
  await end(mei, visitor)
  await expect.poll(() => listener.isClosed()).toBe(true)
})

test('an announcement reaches all listeners, at its time too, and is gone when it is withdrawn', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const chief = await aStaffer(forum)
  const tabs = [await listen(mei), await listen(tom)]
  const notices = (listener: EventListener) =>
    (JSON.parse(listener.events().at(-1)?.data ?? '{}') as { systemNotifyCount?: number }).systemNotifyCount
  for (const listener of tabs) await expect.poll(() => notices(listener)).toBe(0)
  const noticeId = await aNotice(chief, 'Tea is ready.')
  for (const listener of tabs) await expect.poll(() => notices(listener)).toBe(1)
  await chief.call(removeNotices, { ids: [noticeId] })
  for (const listener of tabs) await expect.poll(() => notices(listener)).toBe(0)
  const later = await aNotice(chief, 'Tea is cold.', { sendsAt: new Date(Date.now() + 3_600_000).toISOString() })
  await forum.database.app.updateTable('notice').set({ sends_at: new Date() }).where('id', '=', later).execute()
  const announce = jobs.find(({ name }) => name === 'notification-announce')
  await announce?.run({ database: forum.database } as never, {})
  for (const listener of tabs) await expect.poll(() => notices(listener)).toBe(1)
})

test('visitors have no inbox to listen to', async () => {
  expect((await listen()).status).toBe(401)
})
