import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aComment } from '#comment/testing/factories.ts'
import { oneDraft } from '#draft/contract.ts'
import { addToken, NoMcp, revokeToken, tokens } from '#mcp/contract.ts'
import { settledIn } from '#search/testing/engine-suite.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let url: string
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  tagId = await aTag(forum.database)
  mei = await forum.member()
  await allow(true)
})

const allow = (allowMcp: boolean) => transact(forum.database, (tx) => applySettings(tx, { allowMcp }))

async function aToken(who: Person, mayDraft = true): Promise<string> {
  return (await who.call(addToken, { name: 'My notes', mayDraft })).token
}

/** A program with a token, as a client of the protocol. */
async function aProgram(token: string) {
  const client = new Client({ name: 'notes', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    return { text: (content as { text: string }[])[0]?.text ?? '', isError: isError === true }
  }
  return { client, call }
}

test('a program reads with its member’s access, with whole addresses, and nothing else', async () => {
  const closed = await aClosedTag(forum.database)
  const [open, hidden] = [await aTopic(mei, tagId, { title: 'On oolong' }), await aTopic(mei, tagId, { title: 'Secret oolong' })]
  await aComment(mei, open, { body: says('It opens in the second brew.') })
  await settledIn(forum.database)
  await forum.database.app.updateTable('topic').set({ tag_id: closed.tagId }).where('id', '=', hidden).execute()
  const { client, call } = await aProgram(await aToken(mei))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'read_thread', 'list_tags', 'save_draft'])
  const found = await call('search', { query: 'oolong' })
  expect(found.text).toContain(`"address":"${url}/thread?topicId=${open}"`)
  expect(found.text).not.toContain('Secret')
  expect((await call('read_thread', { topicId: open })).text).toContain('It opens in the second brew.')
  expect(await call('read_thread', { topicId: hidden })).toMatchObject({ isError: true })
  expect((await call('list_tags', {})).text).toContain(`"id":"${tagId}"`)
  expect((await call('list_tags', {})).text).not.toContain(`"id":"${closed.tagId}"`)
})

test('a program writes a draft, publishes nothing, and overwrites none', async () => {
  const writer = await forum.member()
  const { call } = await aProgram(await aToken(writer))
  expect((await call('save_draft', { kind: 'topic', title: 'On rain', markdown: 'It **rains**.' })).text).toBe('The draft is kept.')
  const { draft } = await writer.call(oneDraft, { place: 'topic' })
  expect(draft?.content).toEqual({ text: { view: 'markdown', text: 'It **rains**.' }, fields: { title: 'On rain', aiGenerated: 'on' } })
  await forum.database.app.updateTable('draft').set({ writer: 'another-tab' }).where('member_id', '=', writer.id).execute()
  expect((await call('save_draft', { kind: 'topic', markdown: 'Snow.' })).text).toContain('Nothing was overwritten')
  expect((await call('save_draft', { kind: 'question', title: 'First', markdown: 'Why?' })).text).toBe('The draft is kept.')
  expect((await call('save_draft', { kind: 'question', title: 'Second', markdown: 'How?' })).text).toContain('Nothing was overwritten')
  const reader = await aProgram(await aToken(writer, false))
  expect(await reader.call('save_draft', { kind: 'question', markdown: 'Why?' })).toMatchObject({ isError: true })
})

test('a missing, revoked or expired token, or one of a deactivated member, is refused', async () => {
  const listTools = (token?: string) =>
    fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  const other = await forum.member()
  const token = await aToken(other)
  expect((await listTools(token)).status).toBe(200)
  expect((await listTools()).status).toBe(401)
  expect((await listTools('thp_made-up-by-somebody-else')).status).toBe(401)
  expect((await listTools(other.pair?.accessToken)).status).toBe(401)
  const [mine] = (await other.call(tokens, {})).tokens
  expect(mine).toMatchObject({ name: 'My notes', isExpired: false, lastUsedAt: expect.any(String) })
  expect((await mei.tryCall(revokeToken, { tokenId: mine?.id ?? '' })).status).toBe(404)
  await other.call(revokeToken, { tokenId: mine?.id ?? '' })
  expect((await listTools(token)).status).toBe(401)
  const second = await aToken(other)
  await forum.database.app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'disabled' })
    .where('id', '=', other.id)
    .execute()
  expect((await listTools(second)).status).toBe(401)
  const third = await aToken(mei)
  await allow(false)
  expect((await listTools(third)).status).toBe(404)
  expect(await mei.isRefused(addToken, { name: 'One more' }, NoMcp)).toBe(true)
  await allow(true)
})

test('an impossible request of a program reveals nothing of the database, and each request counts', async () => {
  const token = await aToken(mei)
  const { call } = await aProgram(token)
  const topicId = await aTopic(mei, tagId, { title: 'On rice' })
  for (const fromFloor of [2 ** 31, 99_999_999_999, 1e15]) {
    const { isError, text } = await call('read_thread', { topicId, fromFloor })
    expect(isError).toBe(true)
    expect(text).not.toMatch(/out of range|integer/)
  }
  const one = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'search', arguments: { query: 'rice' } } }
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify([
      { ...one, id: 1 },
      { ...one, id: 2 },
    ]),
  })
  expect(response.status).toBe(400)
})
