import { beforeEach, expect, test } from 'vitest'
import { addToken } from '#assistant/token-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { listDrafts } from '#draft/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database)

beforeEach(() => set({ allowMcp: true, siteState: 'open' }))

const set = (values: Partial<Settings>) => transact(forum.database, (tx) => applySettings(tx, values))

async function withToken() {
  const member = await forum.member()
  return { member, ...(await member.call(addToken, { name: 'My notes', mayDraft: true })) }
}

function send(token: string, body: object, remoteAddress = '127.0.0.1') {
  const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` }
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

test('a program of a member who awaits approval saves no draft', async () => {
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

test('a network that sends wrong tokens is told to wait after thirty, while right ones are answered', async () => {
  const { token } = await withToken()
  const from = '203.0.113.7'
  const list = { method: 'tools/list' }
  expect((await send(token, list, from)).statusCode).toBe(200)
  for (let n = 0; n < 30; n++) expect((await send('thp_made-up-by-somebody-else', list, from)).statusCode).toBe(401)
  expect((await send('thp_made-up-by-somebody-else', list, from)).statusCode).toBe(429)
  expect((await send(token, list, from)).statusCode).toBe(200)
  expect((await send('thp_made-up-by-somebody-else', list, '203.0.113.8')).statusCode).toBe(401)
})
