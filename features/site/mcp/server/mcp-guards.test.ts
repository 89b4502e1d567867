import { beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { listDrafts } from '#draft/contract.ts'
import { addToken } from '#mcp/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database)

beforeEach(() => set({ allowMcp: true, siteState: 'open' }))

const set = (values: Partial<Settings>) => transact(forum.database, (tx) => applySettings(tx, values))

async function withToken() {
  const member = await forum.member()
  return { member, ...(await member.call(addToken, { name: 'My notes', mayDraft: true })) }
}

function send(token: string, body: object, remoteAddress = '127.0.0.1', more: Record<string, string> = {}) {
  const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}`, ...more }
  return forum.app.inject({ method: 'POST', url: '/mcp', headers, remoteAddress, payload: { jsonrpc: '2.0', id: 1, ...body } })
}

async function use(token: string, name: string, args: object): Promise<{ isError: boolean; text: string }> {
  const answer = (await send(token, { method: 'tools/call', params: { name, arguments: args } })).json()
  return { isError: answer.result.isError === true, text: answer.result.content[0].text }
}

const draft = { kind: 'topic', title: 'On rain', markdown: 'It rains.' }
const draftsOf = async (member: Person) => (await member.call(listDrafts, {})).drafts.map(({ title }) => title)

test('a program saves no draft on a read-only site, as its member does not, and still reads', async () => {
  const { member, token } = await withToken()
  const topicId = await aTopic(member, tagId, { title: 'On rice' })
  await set({ siteState: 'readOnly' })
  expect(await use(token, 'save_draft', draft)).toMatchObject({ isError: true, text: expect.stringMatching(/read-only|read only/i) })
  expect((await use(token, 'read_thread', { topicId })).text).toContain('On rice')
  expect(await draftsOf(member)).toEqual([])
  await set({ siteState: 'open' })
  expect(await use(token, 'save_draft', draft)).toMatchObject({ isError: false })
  expect(await draftsOf(member)).toEqual(['On rain'])
})

test('a program of a member awaiting approval saves no draft', async () => {
  const { member, token } = await withToken()
  await forum.database.app.insertInto('registration_request').values({ member_id: member.id }).execute()
  expect(await use(token, 'save_draft', draft)).toMatchObject({ isError: true, text: expect.stringContaining('approv') })
  expect(await draftsOf(member)).toEqual([])
})

test('a program searches no more often than its member may', async () => {
  const { token } = await withToken()
  const results = []
  for (let n = 0; n < 31; n++) results.push((await use(token, 'search', { query: 'rice' })).isError)
  expect(results.filter(Boolean)).toEqual([true])
})

test('a network with wrong tokens is told to wait after thirty, while right ones are answered', async () => {
  const { token } = await withToken()
  const from = '203.0.113.7'
  const list = { method: 'tools/list' }
  expect((await send(token, list, from)).statusCode).toBe(200)
  for (let n = 0; n < 30; n++) expect((await send('thp_made-up-by-somebody-else', list, from)).statusCode).toBe(401)
  expect((await send('thp_made-up-by-somebody-else', list, from)).statusCode).toBe(429)
  expect((await send(token, list, from)).statusCode).toBe(200)
  expect((await send('thp_made-up-by-somebody-else', list, '203.0.113.8')).statusCode).toBe(401)
})

test('a program writes the id of a thread, a floor and a search as it likes', async () => {
  const { member, token } = await withToken()
  const topicId = await aTopic(member, tagId, { title: 'Harvest of 2026' })
  const ways = [
    Number(topicId),
    ` ${topicId} `,
    `#${topicId}`,
    `/thread?topicId=${topicId}`,
    `http://localhost:80/thread?topicId=${topicId}&commentId=3`,
  ]
  for (const way of ways) expect((await use(token, 'read_thread', { topicId: way })).text, String(way)).toContain('Harvest of 2026')
  for (const fromFloor of ['2', '#2', '２', 2])
    expect(await use(token, 'read_thread', { topicId, fromFloor }), String(fromFloor)).toMatchObject({ isError: false })
  expect(await use(token, 'search', { query: 2026 })).toMatchObject({ isError: false })
  for (const foreign of [`https://elsewhere.example/thread?topicId=${topicId}`, 'twelve', '-1', 1.5, `/thread?topicId=x`])
    expect(await use(token, 'read_thread', { topicId: foreign }), String(foreign)).toMatchObject({ isError: true })
})

test('a program saves a draft of a comment only in threads its member can read', async () => {
  const { member, token } = await withToken()
  const topicId = await aTopic(member, tagId, { title: 'On rice' })
  const comment = { kind: 'comment', markdown: 'It grows.' }
  expect(await use(token, 'save_draft', comment)).toMatchObject({ isError: true, text: expect.stringContaining('topicId') })
  expect(await use(token, 'save_draft', { ...comment, topicId: 999_999 })).toMatchObject({ isError: true })
  await member.call(removeTopic, { topicId, reason: '' })
  expect(await use(token, 'save_draft', { ...comment, topicId })).toMatchObject({ isError: true })
  expect((await member.call(listDrafts, {})).drafts).toEqual([])
  const other = await aTopic(member, tagId, { title: 'On tea' })
  expect(await use(token, 'save_draft', { ...comment, topicId: Number(other) })).toMatchObject({ isError: false })
  expect((await member.call(listDrafts, {})).drafts).toHaveLength(1)
})

test('a program is answered in JSON, for any accepted type, and a page of another site is refused', async () => {
  const { token } = await withToken()
  const list = { method: 'tools/list' }
  for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html']) {
    const answer = await send(token, list, '127.0.0.1', { accept })
    expect([answer.statusCode, answer.headers['content-type']], accept).toEqual([200, expect.stringContaining('application/json')])
  }
  for (const origin of ['https://elsewhere.example', 'null']) {
    expect((await send(token, list, '127.0.0.1', { origin })).statusCode).toBe(403)
    expect((await send('thp_made-up-by-somebody-else', list, '127.0.0.1', { origin })).statusCode).toBe(403)
  }
})

test('its limit counts calls of tools, and no other requests of a program', async () => {
  const { token } = await withToken()
  for (let n = 0; n < 100; n++) expect((await send(token, { method: 'ping' })).statusCode).toBe(200)
  expect((await use(token, 'list_tags', {})).isError).toBe(false)
  const called = []
  for (let n = 0; n < 61; n++)
    called.push((await send(token, { method: 'tools/call', params: { name: 'none', arguments: {} } })).statusCode)
  expect(called.filter((status) => status === 429)).toHaveLength(2)
})
