import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { logout } from '#account/contract.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { aClosedTag, aTag, closedTags } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let url: string
let tagId: string
let mei: Person
let topicId: string
const open: EventListener[] = []

beforeAll(async () => {
  forum = await aForum()
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  mei = await forum.member()
  topicId = await aTopic(mei, tagId)
})

afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function listen(topic: string, { as, after }: { as?: Person; after?: string } = {}): Promise<EventListener> {
  const listener = await eventListener((how) => fetch(`${url}/api/comment/news?topicId=${topic}`, how), {
    ...(as?.pair && { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` }),
    ...(after !== undefined && { 'last-event-id': after }),
  })
  open.push(listener)
  return listener
}

test('a reader of an open topic hears of a new comment: the number of comments, and nothing else', async () => {
  const listener = await listen(topicId, { after: '0' })
  expect(listener.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(listener.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(listener.headers.get('content-encoding')).toBeNull()
  await aComment(mei, topicId)
  await expect.poll(listener.events).toEqual([{ id: '1', data: '{"floors":1}' }])
})

test('only new comments are events', async () => {
  const commentId = await aComment(mei, topicId)
  const listener = await listen(topicId, { after: '1' })
  await aReply(mei, commentId)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  await aComment(mei, topicId)
  await expect.poll(listener.events).toEqual([{ id: '2', data: '{"floors":2}' }])
})

test('a reconnected reader hears the missed events, and none twice', async () => {
  await aComment(mei, topicId)
  await expect.poll((await listen(topicId)).events).toEqual([{ id: '1', data: '{"floors":1}' }])
  const again = await listen(topicId, { after: '1' })
  await aComment(mei, topicId)
  await expect.poll(again.events).toEqual([{ id: '2', data: '{"floors":2}' }])

  again.close()
  await aComment(mei, topicId)
  await aComment(mei, topicId)
  await expect.poll((await listen(topicId, { after: '2' })).events).toEqual([{ id: '4', data: '{"floors":4}' }])
})

test('twenty comments at once are not told twenty times, and the last of them is', async () => {
  const listener = await listen(topicId, { after: '0' })
  await Promise.all(Array.from({ length: 20 }, () => aComment(mei, topicId)))
  await expect.poll(() => listener.events().at(-1)?.id).toBe('20')
  expect(listener.events().length).toBeLessThan(10)
})

test.each(closedTags)('a topic without access has no stream: a tag %s', async (_, close) => {
  const { tagId: closed, admit } = await close(forum.database)
  await admit(mei.id)
  const hidden = await aTopic(mei, closed)
  expect((await listen(hidden)).status).toBe(404)
  expect((await listen(hidden, { as: await forum.member() })).status).toBe(404)
  expect((await listen('999999')).status).toBe(404)
  expect((await listen('nonsense')).status).toBe(400)
  expect((await listen(hidden, { as: mei })).status).toBe(200)
})

test('a tag that closes to a reader ends the stream; others still hear', async () => {
  const { tagId: closed, admit, roleId } = await aClosedTag(forum.database)
  const tom = await forum.member()
  await admit(mei.id)
  await admit(tom.id)
  const inside = await aTopic(mei, closed)
  const [hers, his] = [await listen(inside, { as: mei, after: '0' }), await listen(inside, { as: tom, after: '0' })]
  await transact(forum.database, async (tx) => {
    await tx.deleteFrom('role_holding').where('member_id', '=', tom.id).where('role_id', '=', roleId).execute()
    invalidate(tx, `member:${tom.id}`)
  })
  await expect.poll(his.isClosed).toBe(true)
  await aComment(mei, inside)
  await expect.poll(hers.events).toEqual([{ id: '1', data: '{"floors":1}' }])
  expect(his.events()).toEqual([])
})

test('a role that expires ends the stream, without any change in the data', async () => {
  const { tagId: closed, admit, roleId } = await aClosedTag(forum.database)
  const tom = await forum.member()
  await admit(mei.id)
  await admit(tom.id)
  const inside = await aTopic(mei, closed)
  await sql`update role_holding set during = tstzrange(lower(during), now() + interval '3 seconds')
    where member_id = ${tom.id} and role_id = ${roleId}`.execute(forum.database.app)
  const [hers, his] = [await listen(inside, { as: mei, after: '0' }), await listen(inside, { as: tom, after: '0' })]
  expect([hers.status, his.status]).toEqual([200, 200])
  await expect.poll(his.isClosed).toBe(true)
  expect(hers.isClosed()).toBe(false)
})

test('the first listener is disconnected too when the site closes', async () => {
  const listener = await listen(topicId)
  await transact(forum.database, (tx) => applySettings(tx, { siteState: 'closed' }))
  await expect.poll(listener.isClosed).toBe(true)
  await transact(forum.database, (tx) => applySettings(tx, { siteState: 'open' }))
})

test('a tag that is closed to all ends the streams of visitors', async () => {
  const other = await aTag(forum.database)
  const listener = await listen(await aTopic(mei, other))
  await transact(forum.database, async (tx) => {
    await tx.updateTable('tag').set({ is_restricted: true }).where('id', '=', other).execute()
    invalidate(tx, 'tags', 'role')
  })
  await expect.poll(listener.isClosed).toBe(true)
})

test('a removed topic, and a session that is over, end the stream', async () => {
  const [visitor, member] = [await listen(topicId), await listen(topicId, { as: mei })]
  await mei.call(logout, {})
  await transact(forum.database, async (tx) => invalidate(tx, `member:${mei.id}`))
  await expect.poll(member.isClosed).toBe(true)
  expect(visitor.isClosed()).toBe(false)
  const tom = await forum.member()
  const his = await aTopic(tom, tagId)
  const there = await listen(his)
  await tom.call(removeTopic, { topicId: his })
  await expect.poll(there.isClosed).toBe(true)
})

test('a hundred tabs that listen hold no connection to the database, and when they are dropped none is left', async () => {
  const tabs = await Promise.all(Array.from({ length: 100 }, () => listen(topicId, { after: '0' })))
  expect(new Set(tabs.map(({ status }) => status))).toEqual(new Set([200]))
  const inUse = () => forum.database.pools().map(({ total, idle, waiting }) => total - idle + waiting)
  await expect.poll(inUse).toEqual([0, 0])
  await aComment(mei, topicId)
  for (const tab of tabs) await expect.poll(tab.events).toHaveLength(1)
  for (const tab of tabs) tab.close()
  await expect.poll(() => connections()).toBe(0)
})

test('twelve tabs of one member listen, and the thirteenth waits', async () => {
  const statuses: number[] = []
  for (let tab = 0; tab < 13; tab++) statuses.push((await listen(topicId, { as: mei })).status)
  expect(statuses).toEqual([...Array(12).fill(200), 429])
  open[0]?.close()
  await expect.poll(async () => (await listen(topicId, { as: mei })).status).toBe(200)
})

test('the server stops in spite of a listener', async () => {
  const other = await aForum()
  const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const author = await other.member()
  const topic = await aTopic(author, await aTag(other.database))
  const listener = await eventListener((how) => fetch(`${address}/api/comment/news?topicId=${topic}`, how))
  await other.app.close()
  await expect.poll(listener.isClosed).toBe(true)
})

function connections(): Promise<number> {
  return new Promise((resolve, reject) => forum.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
}
