import type { ServerResponse } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { tool } from 'ai'
import { z } from 'zod'
import { AnsweredNothing, BrokenOff, ContentRefused, ProviderAway, SwitchedOff } from '#assistant/contract.ts'
import { answerBy, patient, status } from '#assistant/testing/answers.ts'
import { aProvider, withModel, type Provider, type Script } from '#assistant/testing/factories.ts'
import { encryptedKey } from '#assistant/server/models.ts'
import { anAnthropicProvider } from '#assistant/testing/anthropic.ts'
import { aBadSite, misbehaviours, type Misbehaviour } from '#base/testing/bad-site.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { serve } from '#base/testing/fake-server.ts'
import { until } from '#base/testing/waits.ts'

let forum: Forum
let one: Provider
let other: Provider

const says =
  (...words: string[]): Script =>
  () => ({ says: words })

beforeAll(async () => {
  forum = await aForum()
  one = await aProvider(says('one'))
  other = await aProvider(says('other'))
})

beforeEach(async () => {
  await forum.database.app.deleteFrom('assistant_model').execute()
  for (const provider of [one, other]) provider.requests.length = 0
  one.does(says('Hello ', 'there.'))
  other.does(says('The other.'))
})

const answer = (...options: AnswerOptions) => answerBy(forum.database, ...options)
type AnswerOptions = Parameters<typeof answerBy> extends [unknown, ...infer Rest] ? Rest : never

const failing = async () =>
  forum.database.app.selectFrom('assistant_model').select(['failure', 'failures', 'rests_until', 'sort']).orderBy('sort').execute()

/** Streams these deltas, then runs the rest of the script. */
const streams =
  (then: (response: ServerResponse) => void, ...deltas: object[]): Script =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const delta of deltas) response.write(chunk(delta))
    then(response)
    return null
  }
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const ends = (finish: string) => (response: ServerResponse) => void response.end(`${chunk({}, finish)}data: [DONE]\n\n`)
const html = '<!doctype html><title>Welcome</title>'
const stays = () => undefined

const timeIsOver = () => {
  vi.advanceTimersByTime(patient.firstWordMs)
  return null
}

// Each fails before the first text, so that the second model takes over.
const before: Record<string, Script> = {
  'a wrong key': status(401, '{"error":{"message":"Incorrect API key sk-12345"}}'),
  'a fault of its own': status(500, 'Oops'),
  'too many requests': status(429, '{"error":{"message":"Slow down"}}', { 'retry-after': '600' }),
  'a redirect': status(302, '', { location: 'https://elsewhere.example/v1/chat/completions' }),
  'rubbish in place of JSON': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {rubbish\n\n')
    return null
  },
  'a page': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    return null
  },
  'nothing, and the end': streams(ends('stop')),
  silence: streams(timeIsOver),
  'no answer at all': timeIsOver,
}

describe('a provider that begins with', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }))
  afterEach(() => vi.useRealTimers())

  test.each(Object.entries(before))('%s is replaced by the next one, and its failure is logged without its text', async (_, script) => {
    await withModel(forum.database, one)
    await withModel(forum.database, other, { sort: 1 })
    one.does(script)
    expect(await answer()).toMatchObject({ text: 'The other.', refused: null })
    expect(one.requests).toHaveLength(1)
    const [failed] = await failing()
    expect(failed?.failures).toBe(1)
    expect(failed?.failure).not.toMatch(/sk-12345|elsewhere|rubbish/)
  })

  test.each(Object.entries(before))('%s is a refusal if it is the only one', async (name, script) => {
    await withModel(forum.database, one)
    one.does(script)
    const nothing = name.startsWith('nothing')
    expect((await answer()).refused).toBe(nothing ? AnsweredNothing : ProviderAway)
    // Only a model that refused to begin is retried.
    expect(one.requests).toHaveLength(name === 'a fault of its own' ? 2 : 1)
  })
})

test('a provider alone that is down for a moment is asked once more', async () => {
  await withModel(forum.database, one)
  let times = 0
  one.does((request, response) => (times++ === 0 ? status(503, '')(request, response) : { says: ['Back.'] }))
  expect(await answer()).toMatchObject({ text: 'Back.', run: { tokens: { isEstimated: false } } })
})

test('an unreachable provider is refused at once', async () => {
  const { address, close } = await serve(() => () => undefined)
  await close()
  await withModel(forum.database, { address: `${address}/v1` })
  expect((await answer()).refused).toBe(ProviderAway)
})

test('a provider that asks for time rests that long, and one that failed three times in a row rests too', async () => {
  await withModel(forum.database, one)
  await withModel(forum.database, other, { sort: 1 })
  one.does(status(429, '', { 'retry-after': '600' }))
  await answer()
  expect(Number((await failing())[0]?.rests_until) - Date.now()).toBeGreaterThan(300_000)
  await answer()
  expect(one.requests).toHaveLength(1)

  await forum.database.app.updateTable('assistant_model').set({ rests_until: null, failures: 0 }).execute()
  one.does(status(500, ''))
  for (let times = 0; times < 5; times++) await answer()
  expect(one.requests).toHaveLength(1 + 3)
  // When all rest, they are asked all the same.
  await forum.database.app.deleteFrom('assistant_model').where('sort', '=', 1).execute()
  one.does(says('Back.'))
  expect(await answer()).toMatchObject({ text: 'Back.' })
  expect(await failing()).toMatchObject([{ failures: 0, rests_until: null }])
})

const half = { content: 'The first half' }
const inTheMiddle: Record<string, Script> = {
  'is silent': streams(stays, half),
  'tears the line': streams((response) => void response.write('\n', () => response.destroy()), half),
  'ends without saying so': streams((response) => void response.end(), half),
  'says rubbish': streams((response) => void response.end('data: {rubbish\n\n'), half),
  'tells an error': streams((response) => void response.end('data: {"error":{"message":"sk-12345"}}\n\n'), half),
  'has used up its length': streams(ends('length'), half),
}

test.each(Object.entries(inTheMiddle))(
  'an answer that %s in the middle is broken off, and no other provider takes over',
  async (_, script) => {
    await withModel(forum.database, one)
    await withModel(forum.database, other, { sort: 1 })
    one.does(script)
    const answered = await answer({}, { timeouts: { ...patient, silenceMs: 400 } })
    expect(answered).toMatchObject({ text: 'The first half', refused: BrokenOff })
    expect(answered.run.tokens).toMatchObject({ isEstimated: true })
    expect(answered.run.tokens.input).toBeGreaterThan(0)
    expect(answered.run.tokens.output).toBeGreaterThan(0)
    expect(other.requests).toEqual([])
  },
)

test.each([
  ['in the middle', streams(ends('content_filter'), half)],
  ['at once', status(400, '{"error":{"code":"data_inspection_failed"}}')],
])('a refusal of a provider’s filter %s is reported as one', async (_, script) => {
  await withModel(forum.database, one)
  await withModel(forum.database, other, { sort: 1 })
  one.does(script)
  expect((await answer()).refused).toBe(ContentRefused)
  expect(other.requests).toEqual([])
})

describe('without end', () => {
  async function* endless(response: ServerResponse, delta: object): AsyncIterable<void> {
    for (;;) {
      if (response.destroyed) return
      if (!response.write(chunk(delta))) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      yield
    }
  }
  async function goes(response: ServerResponse, delta: object): Promise<void> {
    let times = 0
    for await (const _ of endless(response, delta)) if (++times % 50 === 0) await new Promise(setImmediate)
  }

  test.each([
    ['words are cut', { content: 'tea '.repeat(500) }, null],
    ['thoughts are ended', { reasoning_content: 'tea '.repeat(500) }, ProviderAway],
    [
      'arguments of a call are ended',
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: ' '.repeat(2_000) } }] },
      ProviderAway,
    ],
  ])('%s, and the provider is cancelled', async (_, delta, refused) => {
    await withModel(forum.database, one)
    const before = one.cancelled()
    one.does(streams((response) => void goes(response, delta)))
    const answered = await answer()
    expect(answered.refused).toBe(refused)
    expect(answered.text.length).toBeLessThan(100_000)
    await until(() => one.cancelled() > before)
  })

  test.each(Object.keys(misbehaviours) as Misbehaviour[])('a site that %s ends an answer, and is left', async (misbehaviour) => {
    const site = await aBadSite(misbehaviour)
    await withModel(forum.database, { address: `http://127.0.0.1:${site.port}/v1` })
    const { refused } = await answer({}, { timeouts: { ...patient, firstWordMs: 400, silenceMs: 400 } })
    expect([ProviderAway, AnsweredNothing]).toContain(refused)
    await site.left()
    site.close()
  })
})

const look = tool({
  description: 'Looks.',
  inputSchema: z.object({ where: z.string() }),
  execute: async ({ where }) => `Looked at ${where}.`,
})

describe('calls of tools', () => {
  test('that never end are answered at last', async () => {
    await withModel(forum.database, one)
    one.does((request) =>
      'tool_choice' in request && request.tool_choice === 'none'
        ? { says: ['Enough.'] }
        : { calls: { name: 'look', input: { where: 'x' } } },
    )
    expect(await answer({ tools: { look } })).toMatchObject({ text: 'Enough.', refused: null })
    expect(one.requests).toHaveLength(6)
    one.does(() => ({ calls: { name: 'look', input: { where: 'x' } } }))
    expect((await answer({ tools: { look } })).refused).not.toBeNull()
    expect(one.requests).toHaveLength(12)
  })

  test.each([
    ['of a name that is none', { name: 'delete_everything', input: {} }],
    ['with other arguments', { name: 'look', input: { there: 1 } }],
    ['with none', { name: 'look', input: null }],
    ['with a text', { name: 'look', input: '{"where":' }],
  ])('%s do nothing, and the model may go on', async (_, calls) => {
    await withModel(forum.database, one)
    one.does(({ messages }) => (messages.at(-1)?.role === 'tool' ? { says: ['Well.'] } : { calls }))
    expect(await answer({ tools: { look } })).toMatchObject({ text: 'Well.', refused: null })
    expect(JSON.stringify(one.requests.at(-1)?.messages)).not.toContain('Looked at')
  })

  test('that fail here end the answer, and the provider gets no reason', async () => {
    await withModel(forum.database, one)
    one.does(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { says: ['Well.'] } : { calls: { name: 'look', input: { where: 'x' } } },
    )
    const broken = tool({
      ...look,
      execute: async () => {
        throw new Error('select secret from secret')
      },
    })
    await expect(answer({ tools: { look: broken } })).rejects.toThrow('select secret from secret')
    expect(JSON.stringify(one.requests)).not.toContain('secret')
    expect((await failing())[0]?.failures).toBe(0)
  })
})

test('an answer that must not go on ends though the model is silent, and the provider is cancelled', async () => {
  await withModel(forum.database, one)
  const before = one.cancelled()
  one.does(streams(stays, half))
  let isOff = false
  const mustGoOn = async () => {
    if (isOff) throw SwitchedOff()
  }
  const switchOff = () => (isOff = true)
  expect(await answer({ mustGoOn }, { onText: switchOff })).toMatchObject({ text: 'The first half', refused: SwitchedOff })
  await until(() => one.cancelled() > before)
  expect((await failing())[0]?.failures).toBe(0)
})

test('the tokens of an answer are the sum the provider reports for all steps, and an estimate without a report', async () => {
  await withModel(forum.database, one)
  one.does(({ messages }) => (messages.at(-1)?.role === 'tool' ? { says: ['Well.'] } : { calls: { name: 'look', input: { where: 'x' } } }))
  const tokens = (await answer({ tools: { look } })).run.tokens
  expect(tokens.isEstimated).toBe(false)
  expect(tokens.input).toBeGreaterThan(
    (one.requests.map(({ messages }) => JSON.stringify(messages).length).reduce((a, b) => a + b) / 4) * 0.9,
  )
  one.does(streams(ends('stop'), { content: '下雨了' }))
  expect((await answer()).run.tokens).toMatchObject({ output: 3, isEstimated: true })
})

test('Anthropic’s protocol is spoken too, with its key, tools and tokens', async () => {
  let key: unknown
  const provider = await anAnthropicProvider(({ messages }, headers) => {
    key = headers['x-api-key']
    const last = messages.at(-1)?.content
    const isResult = Array.isArray(last) && last.some(({ type }) => type === 'tool_result')
    return isResult ? { says: ['It is ', 'tea.'] } : { calls: { name: 'look', input: { where: 'the pot' } } }
  })
  const id = await withModel(forum.database, provider)
  const set = { protocol: 'anthropic' as const, api_key: encryptedKey('anthropic', provider.address, 'sk-ant-1') }
  await forum.database.app.updateTable('assistant_model').set(set).where('id', '=', id).execute()
  const answered = await answer({ tools: { look } })
  expect(answered).toMatchObject({ text: 'It is tea.', refused: null, run: { tokens: { output: 14, isEstimated: false } } })
  expect(answered.run.tokens.cached).toBe(20)
  expect(key).toBe('sk-ant-1')
  expect(JSON.stringify(provider.asked[0]?.system)).toContain('Be brief.')
  expect(JSON.stringify(provider.asked[1]?.messages)).toContain('Looked at the pot.')
})
