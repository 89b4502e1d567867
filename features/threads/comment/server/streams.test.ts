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

type ListenOptions = { as?: Person; after?: string; /** The name of the stream. */ name?: string }

async function listen(topic: string, { as, after, name }: ListenOptions = {}): Promise<EventListener> {
  const listener = await eventListener((how) => fetch(`${url}/api/comment/news?topicId=${topic}`, how), {
    ...(as?.pair && { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` }),
    ...(after !== undefined && { 'last-event-id': after }),
    ...(name !== undefined && { 'teahouse-stream': name }),
  })
  open.push(listener)
  return listener
}

test('a reader of an open topic hears of a new comment: the number of comments, and nothing else', async () => {
  const listener = await listen(topicId, { after: '0' })
  expect(listener.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(listener.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(listener.headers.get('content-encoding')).toBe('identity')
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

test('above twelve streams of one member the oldest ends, and its tab is asked to wait', async () => {
  for (let tab = 0; tab < 12; tab++) await listen(topicId, { as: mei })
  const newest = await listen(topicId, { as: mei, after: '0' })
  expect(newest.status).toBe(200)
  const [oldest, second] = open
  await expect.poll(oldest!.isClosed).toBe(true)
  expect(oldest!.text()).toMatch(/retry: 60000\n\n$/)
  await aComment(mei, topicId)
  await expect.poll(newest.events).toHaveLength(1)
  expect(second!.isClosed()).toBe(false)
})

// Behind some proxies a client that has left is heard of late, as if it had stayed.
test('forty topics opened in a tab whose streams are not heard closing all have live comments, and one stream is left', async () => {
  const tom = await forum.member()
  const topics = await Promise.all([1, 2, 3, 4, 5].map(() => aTopic(tom, tagId)))
  const elsewhere = await listen(topicId, { as: mei, after: '0', name: 'another-tab-of-mei-0' })
  for (let opened = 0; opened < 40; opened++) {
    const topic = topics[opened % 5] ?? ''
    const here = await listen(topic, { as: mei, after: '0', name: 'the-one-tab-of-mei-0' })
    expect(here.status).toBe(200)
    if (opened % 13 > 0) continue
    await aComment(tom, topic)
    await expect.poll(here.events).toEqual([{ id: '1', data: '{"floors":1}' }])
  }
  await expect.poll(() => open.filter((one) => !one.isClosed()).length).toBe(2)
  expect(elsewhere.isClosed()).toBe(false)
})

test('forty topics opened in forty tabs that are not heard closing: the last has live comments', async () => {
  for (let tab = 0; tab < 40; tab++) await listen(topicId, { as: mei, after: '0', name: `tab-number-${tab}-of-mei-0` })
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
  await expect.poll(() => open.filter((one) => !one.isClosed()).length).toBe(12)
  await aComment(mei, topicId)
  await expect.poll(open.at(-1)!.events).toHaveLength(1)
})

test('the name of a member’s stream ends it for nobody else, and neither does one of another form', async () => {
  const name = 'the-one-tab-of-mei-0'
  await listen(topicId, { as: mei, name })
  for (const as of [await forum.member(), undefined]) await listen(topicId, { ...(as && { as }), name })
  for (const wrong of ['short', 'short', 'x'.repeat(65), 'x'.repeat(65)]) await listen(topicId, { as: mei, name: wrong })
  // Answered after whatever ends has ended.
  await aComment(mei, topicId)
  await expect.poll(() => open.map((one) => one.events().length)).toEqual(open.map(() => 2))
  expect(open.filter((one) => one.isClosed())).toEqual([])
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
