import { tool } from 'ai'
import { z } from 'zod'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { presets, type PresetName } from '#assistant/presets.ts'
import { dialects } from '#assistant/testing/dialects.ts'
import { answerBy, bytes, status } from '#assistant/testing/answers.ts'
import { aProvider, withModel, type Provider } from '#assistant/testing/factories.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { until } from '#base/testing/waits.ts'

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

const model = () => forum.database.app.selectFrom('assistant_model').selectAll().executeTakeFirstOrThrow()
const names = Object.keys(dialects) as PresetName[]

describe.each(names)('of %s', (name) => {
  const { whole, tokens, failed, busy } = dialects[name]
  beforeEach(() => withModel(forum.database, provider, { protocol: presets[name].protocol }))

  test('an answer is whole, and its tokens are the reported ones, the cached ones apart', async () => {
    provider.does(bytes(whole))
    expect(await answerBy(forum.database)).toMatchObject({
      text: 'It is tea.',
      refused: null,
      run: { tokens: { ...tokens, isEstimated: false } },
    })
  })

  test('an answer is whole even if the connection stays open after it', async () => {
    const before = provider.cancelled()
    provider.does(bytes(whole, () => undefined))
    expect(await answerBy(forum.database)).toMatchObject({ text: 'It is tea.', refused: null, run: { tokens } })
    await until(() => provider.cancelled() > before)
  })

  test('an answer is whole in pieces of any size, and with other line ends', async () => {
    const all = Buffer.from(whole.replaceAll('\n', '\r\n'))
    provider.does((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let at = 0; at < all.length; at += 7) response.write(all.subarray(at, at + 7))
      response.end()
      return null
    })
    expect(await answerBy(forum.database)).toMatchObject({ text: 'It is tea.', refused: null, run: { tokens } })
  })

  test('half an answer is not taken for a whole one', async () => {
    provider.does(bytes(failed))
    const { text, refused } = await answerBy(forum.database)
    expect([text, refused === null]).toEqual(['It is', false])
  })

  test('a provider busy for a moment is waited for, and the reader is told', async () => {
    let times = 0
    provider.does((...call) => (times++ === 0 ? status(429, busy.body, busy.headers) : bytes(whole))(...call))
    expect(await answerBy(forum.database)).toMatchObject({ text: 'It is tea.', refused: null, events: expect.arrayContaining(['waiting']) })
    expect((await model()).failures).toBe(0)
  })
})

const refusing = names.filter((name) => dialects[name].refusal)

test.each(refusing)('a part that a model of %s refuses is left out, and not sent again', async (name) => {
  const { whole, refusal } = dialects[name]
  await withModel(forum.database, provider, { protocol: presets[name].protocol })
  const { parts = [], body = '' } = refusal ?? {}
  provider.does((request, response) =>
    (parts.some((part) => part in request && (part !== 'max_tokens' || isOverLimit(request))) ? status(400, body) : bytes(whole))(
      request,
      response,
    ),
  )
  const look = tool({ description: 'Looks.', inputSchema: z.object({}), execute: async () => 'Nothing.' })
  for (let times = 0; times < 2; times++)
    expect(await answerBy(forum.database, { tools: { look } })).toMatchObject({ text: 'It is tea.', refused: null })
  expect(provider.requests).toHaveLength(3)
  expect(await model()).toMatchObject({ refused_parts: parts, failures: 0 })
})

// One protocol has no request without a limit.
function isOverLimit(request: object): boolean {
  return 'max_tokens' in request && Number(request.max_tokens) > 4_096
}
