import { beforeAll, beforeEach, expect, test } from 'vitest'
import { tool } from 'ai'
import { z } from 'zod'
import { BrokenOff, MayBeIncomplete, ProviderAway } from '#assistant/contract.ts'
import type { Protocol } from '#assistant/protocols.ts'
import { answerBy, bytes, patient, status } from '#assistant/testing/answers.ts'
import { aProvider, withModel, type Provider } from '#assistant/testing/factories.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'

let forum: Forum
let provider: Provider

beforeAll(async () => {
  forum = await aForum()
  provider = await aProvider(() => ({ says: [''] }))
})

beforeEach(async () => {
  await forum.database.app.deleteFrom('assistant_model').execute()
  provider.requests.length = 0
})

type Fields = Record<string, unknown>
const piece = (delta: Fields, finish_reason: unknown = null): Fields => ({
  id: '1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'test',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
})
const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }

const good: Record<Protocol, Fields[]> = {
  openai: [
    piece({ role: 'assistant', content: '' }),
    piece({ content: 'It is' }),
    piece({ content: ' tea.' }),
    piece({}, 'stop'),
    { id: '1', choices: [], usage },
  ],
  anthropic: [
    {
      type: 'message_start',
      message: { id: 'm', role: 'assistant', model: 'test', content: [], usage: { input_tokens: 40, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' tea.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
}
const protocols = Object.keys(good) as Protocol[]

const written = (pieces: readonly unknown[]) => pieces.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const ofOpenAi = (...pieces: readonly unknown[]) => bytes(`${written(pieces)}data: [DONE]\n\n`)

async function isWhole(text: string, about: string): Promise<void> {
  provider.does(bytes(text))
  const { text: answer, refused } = await answerBy(forum.database)
  expect([answer, refused], about).toEqual(['It is tea.', null])
}

const strangePieces: unknown[] = [
  null,
  5,
  'ping',
  true,
  [],
  {},
  ...[null, 'x', {}, [], [null], [5], [{}], [{ delta: null }], [{ delta: 'x' }], [{ delta: {}, finish_reason: '' }]].map((choices) => ({
    choices,
  })),
  { choices: [{ index: 0, delta: { content: null, tool_calls: null, reasoning_content: null, refusal: false } }], usage: null },
  { choices: [{ index: 0, delta: { tool_calls: [null, {}, { function: null }, { function: { arguments: '' } }] } }] },
  { error: null, choices: [] },
  { code: 0, message: 'Success' },
  { type: 'progress', percent: 50 },
  { type: 'content_block_start', index: 7, content_block: { type: 'hologram', data: 'x' } },
  { type: 'content_block_delta', index: 7, delta: { type: 'hologram_delta', data: 'x' } },
  { type: 'content_block_delta', index: null, delta: null },
  { type: 'message_delta', delta: null, usage: null },
  { type: 'ping', unknown: { deep: [1] } },
]
const strangeLines = [
  ': a comment',
  'event: ping',
  'data: ping',
  'data:',
  'retry: 5',
  'id: 7',
  'nonsense',
  '\n\n',
  'event: unknown\ndata: {}',
]

test.each(protocols)('a strange piece beside those of a good answer changes no word of it: %s', async (protocol) => {
  await withModel(forum.database, provider, { protocol })
  const pieces = good[protocol]
  const strange = [...strangePieces.map((one) => `data: ${JSON.stringify(one)}`), ...strangeLines]
  for (const one of strange)
    for (const at of [0, 1, 2, pieces.length - 1, pieces.length])
      await isWhole(`${written(pieces.slice(0, at))}${one}\n\n${written(pieces.slice(at))}data: [DONE]\n\n`, `${one} at ${at}`)
})

/** The paths of all fields of a piece, but for those that hold its meaning. */
function unneeded(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name]
    const isNeeded = ['choices', 'delta', 'content', 'finish_reason', 'type', 'text', 'content_block', 'stop_reason', '0'].includes(name)
    return [...(isNeeded ? [] : [here]), ...unneeded(inner, here)]
  })
}

function withField(piece: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = (Array.isArray(piece) ? [...piece] : { ...(piece as Fields) }) as Fields
  copy[name] = rest.length === 0 ? value : withField(copy[name], rest, value)
  return copy
}

test.each(protocols)('an unneeded field may hold anything: %s', async (protocol) => {
  await withModel(forum.database, provider, { protocol })
  const pieces = good[protocol]
  for (const [at, one] of pieces.entries())
    for (const path of unneeded(one))
      for (const value of [null, 1.5, '12', -1, [], {}, true]) {
        const changed = pieces.with(at, withField(one, path, value) as Fields)
        await isWhole(`${written(changed)}data: [DONE]\n\n`, `${path.join('.')}: ${JSON.stringify(value)}`)
      }
})

test.each([
  'data: {"error":{"message":"Overloaded"}}\n\n',
  'data: {broken\n\n',
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
  'data: {"id":"1","choices":null,"usage":{"prompt_tokens":"40","completion_tokens":"9"}}\n\n',
])('data after a whole text cannot break it, nor count against the model: %j', async (after) => {
  await withModel(forum.database, provider)
  await isWhole(written(good.openai.slice(0, 4)) + after, after)
  provider.does(bytes(written(good.openai.slice(0, 4)) + after, (response) => void response.write('\n', () => response.destroy())))
  expect(await answerBy(forum.database)).toMatchObject({ text: 'It is tea.', refused: null })
  expect(await failures()).toEqual({ failures: 0, failure: null })
})

const failures = () => forum.database.app.selectFrom('assistant_model').select(['failures', 'failure']).executeTakeFirstOrThrow()

test('a whole message in place of a stream is an answer, and one that repeats its text at the end says it once', async () => {
  await withModel(forum.database, provider)
  const message = { role: 'assistant', content: 'It is tea.' }
  const body = { id: '1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
  provider.does(status(200, JSON.stringify(body, null, 2)))
  expect(await answerBy(forum.database)).toMatchObject({ text: 'It is tea.', refused: null, run: { tokens: { input: 40, output: 9 } } })
  await isWhole(written([...good.openai.slice(0, 3), body]), 'repeated')
})

test.each(['a_new_reason', 'STOPPED_SOMEHOW'])('a reason that is unknown (%s) is neither a success nor a failure', async (reason) => {
  await withModel(forum.database, provider)
  await forum.database.app.updateTable('assistant_model').set({ failures: 2 }).execute()
  provider.does(ofOpenAi(piece({ content: 'It is' }), piece({}, reason)))
  expect(await answerBy(forum.database)).toMatchObject({ text: 'It is', refused: MayBeIncomplete })
  expect((await failures()).failures).toBe(2)
})

test.each(['insufficient_system_resource', 'network_error', 'ABORT', 'error'])(
  'half an answer that ends with %s broke off',
  async (reason) => {
    await withModel(forum.database, provider)
    provider.does(ofOpenAi(piece({ content: 'It is' }), piece({}, reason)))
    expect(await answerBy(forum.database)).toMatchObject({ text: 'It is', refused: BrokenOff })
    expect(await failures()).toEqual({ failures: 1, failure: 'It ended with an error' })
  },
)

const look = tool({
  description: 'Looks.',
  inputSchema: z.object({ where: z.string() }),
  execute: async ({ where }) => `Looked at ${where}.`,
})
const calls: [string, Fields[]][] = [
  ['an object for its input', [{ index: 0, id: 'c', function: { name: 'look', arguments: { where: 'pot' } } }]],
  ['a number for its id', [{ index: 0, id: 7, function: { name: 'look', arguments: '{"where":"pot"}' } }]],
  ['no place and no id', [{ function: { name: 'look', arguments: '{"where":' } }, { function: { arguments: '"pot"}' } }]],
  [
    'its name after its input',
    [
      { index: '0', function: { arguments: '{"where":' } },
      { index: '0', id: 'c', function: { name: 'look', arguments: '"pot"}' } },
    ],
  ],
  [
    'its name in each piece',
    [
      { index: 0, id: 'c', function: { name: 'look', arguments: '{"where":' } },
      { index: 0, function: { name: 'look', arguments: '"pot"}' } },
    ],
  ],
]

test.each(calls)('a call of a tool with %s is made', async (_, pieces) => {
  await withModel(forum.database, provider)
  provider.does((request, response) => {
    const isResult = request.messages.at(-1)?.role === 'tool'
    const parts = isResult ? good.openai : [...pieces.map((call) => piece({ tool_calls: [call] })), piece({}, 'tool_calls')]
    return ofOpenAi(...parts)(request, response)
  })
  expect(await answerBy(forum.database, { tools: { look } })).toMatchObject({ text: 'It is tea.', refused: null })
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('Looked at pot.')
})

test('a call of a tool that was cut is asked for once, not made, and told to staff', async () => {
  await withModel(forum.database, provider)
  const cut = { index: 0, id: 'c', function: { name: 'look', arguments: '{"where":"p' } }
  provider.does(ofOpenAi(piece({ tool_calls: [cut] }), piece({}, 'length')))
  expect((await answerBy(forum.database, { tools: { look } })).refused).toBe(ProviderAway)
  expect(provider.requests).toHaveLength(1)
  expect((await failures()).failure).toBe('Its tool call was cut')
})

test('a stream that ends by its words alone, and stays silent and open, is whole', async () => {
  await withModel(forum.database, provider)
  provider.does(bytes(written(good.openai.slice(0, 4)), () => undefined))
  const answered = await answerBy(forum.database, {}, { timeouts: { ...patient, silenceMs: 60_000 } })
  expect(answered).toMatchObject({ text: 'It is tea.', refused: null })
})
