import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, MayBeIncomplete } from '#assistant/contract.ts'
import { requestParts, type RequestPart } from '#assistant/protocols.ts'
import * as desk from '#assistant/staff-contract.ts'
import { answerBy, bytes, status } from '#assistant/testing/answers.ts'
import { aProvider, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { settledIn } from '#search/testing/engine-suite.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let provider: Provider
let chief: Staffer
let mei: Person
let modelId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  provider = await aProvider(() => ({ says: ['Hello.'] }))
})

beforeEach(async () => {
  await forum.database.app.deleteFrom('assistant_model').execute()
  modelId = await withModel(forum.database, provider)
  mei = await forum.member()
  provider.does(() => ({ says: ['Hello.'] }))
  provider.requests.length = 0
})

async function model() {
  const [first] = (await chief.call(desk.modelList, {})).models
  if (!first) throw new Error('There is no model')
  return first
}

/** A provider that refuses each request with one of these fields. */
function refuses(refusals: Partial<Record<string, string>>, code = 400): void {
  provider.does((request, response) => {
    const [, message] = Object.entries(refusals).find(([field]) => field in request) ?? []
    return message === undefined ? { says: ['Hello.'] } : status(code, message)(request, response)
  })
}

const noTools = { tools: '{"error":{"message":"test does not support tools"}}' }

test('a model without tools answers from a search made before it, and is not asked with tools again', async () => {
  const topicId = await aTopic(mei, await aTag(forum.database), { title: 'Brewing oolong at dawn' })
  await settledIn(forum.database)
  refuses(noTools)
  const { pieces } = await streams(mei, ask, { prompt: 'oolong dawn' })
  expect(pieces.map(({ kind }) => kind)).toEqual(['begun', 'looking', 'source', 'text', 'turn'])
  expect(pieces.at(-1)?.turn).toMatchObject({ answer: 'Hello.', state: 'finished', sources: [{ path: `/thread?topicId=${topicId}` }] })
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('Brewing oolong at dawn')
  expect(provider.requests).toHaveLength(2)
  await streams(mei, ask, { prompt: 'And at dusk?', topicId })
  expect(provider.requests).toHaveLength(3)
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain(`Address: /thread?topicId=${topicId}`)
})

test('a test sends the same request as a chat, and reports the refused part; staff see it, and may set it by hand', async () => {
  refuses(noTools)
  expect(await chief.call(desk.testModel, { modelId })).toMatchObject({ problem: null, answer: 'Hello.', refusedParts: ['tools'] })
  const known = await model()
  expect(known).toMatchObject({ refusedParts: ['tools'], version: 1 })
  const { name, protocol, address, jobs, contextTokens } = known
  const edited = { name, protocol, address, jobs, contextTokens, model: 'test', isEnabled: true, modelId, version: 1 }
  await chief.call(desk.editModel, { ...edited, refusedParts: ['stream_options'] })
  provider.does(() => ({ says: ['Hello.'] }))
  provider.requests.length = 0
  expect(await chief.call(desk.testModel, { modelId })).toMatchObject({ problem: null, refusedParts: ['stream_options'] })
  expect(provider.requests[0]).toHaveProperty('tools')
  expect(provider.requests[0]).not.toHaveProperty('stream_options')
})

const refusals: [RequestPart[], Partial<Record<string, string>>, number][] = [
  [['max_tokens'], { max_tokens: '{"error":{"message":"Use \'max_completion_tokens\' instead.","param":"max_tokens"}}' }, 400],
  [['max_completion_tokens', 'max_tokens'], { max_tokens: '{"error":"max_tokens is too large: 8000. At most 4096"}' }, 400],
  [
    ['max_completion_tokens', 'max_tokens'],
    { max_tokens: '{"message":"max_completion_tokens please"}', max_completion_tokens: '{"message":"max_completion_tokens is unknown"}' },
    400,
  ],
  [
    ['stream_options'],
    { stream_options: '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"tools":1}}]}' },
    422,
  ],
  [
    ['stream_options', 'tools'],
    { ...noTools, stream_options: '{"error":{"message":"Unknown parameter: stream_options.include_usage"}}' },
    400,
  ],
  [['tool_choice'], { tool_choice: '{"error":{"message":"tool_choice is not supported"}}' }, 400],
  [['tools'], { tools: '{"error":{"message":"No endpoints found that support tool use","code":404}}' }, 404],
  [['tools'], { tools: '{"error":{"message":"该模型不支持工具调用"}}' }, 400],
  [['tools'], { tools: '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}' }, 500],
  [['tools'], { tools: 'Function calling is not supported by this server' }, 501],
]
const look = { look: { description: 'Looks.', inputSchema: desk.testModel.input, execute: async () => 'Nothing.' } }

test.each(refusals)('%j refused is left out, remembered, and no failure', async (parts, messages, code) => {
  refuses(messages, code)
  const before = () => provider.requests.length
  expect(await answerBy(forum.database, { tools: look })).toMatchObject({ text: 'Hello.', refused: null })
  expect(await model()).toMatchObject({ refusedParts: parts, failure: null })
  const times = before()
  expect(await answerBy(forum.database, { tools: look })).toMatchObject({ text: 'Hello.', refused: null })
  expect(before()).toBe(times + 1)
})

test('instructions refused as a message of their own are put into the first, and an unstreamed answer comes whole', async () => {
  const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }] }
  provider.does((request, response) => {
    if (request.messages.some(({ role }) => role === 'system'))
      return status(400, '{"error":"System role not supported"}')(request, response)
    if (request.stream)
      return status(400, '{"error":{"message":"Unsupported value: \'stream\' does not support true","param":"stream"}}')(request, response)
    return status(200, JSON.stringify(whole))(request, response)
  })
  expect(await answerBy(forum.database)).toMatchObject({ text: 'Hello.', refused: null })
  expect(provider.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Be brief.\n\nTea?' }])
  expect((await model()).refusedParts).toEqual(['stream', 'system'])
})

test.each(['{"error":{"message":"Invalid request"}}', '{"error":{"message":"The question is bad","input":"tools max_tokens"}}', ''])(
  'a refusal that names nothing (%j) is a failure, and teaches nothing',
  async (body) => {
    provider.does(status(400, body))
    expect((await answerBy(forum.database, { tools: look })).refused).not.toBeNull()
    expect(provider.requests).toHaveLength(1)
    expect(await model()).toMatchObject({ refusedParts: [], failure: { says: 'HTTP 400' } })
  },
)

test('a server error that names a part teaches nothing', async () => {
  provider.does(status(500, '{"error":{"message":"The tool parser crashed"}}'))
  expect((await answerBy(forum.database, { tools: look })).refused).not.toBeNull()
  expect(provider.requests.every((request) => 'tools' in request)).toBe(true)
})

test('a refused part is stored only once the model answers without it', async () => {
  provider.does((request, response) => status(400, '{"error":"tools and max_tokens and stream_options, all of it"}')(request, response))
  expect((await answerBy(forum.database, { tools: look })).refused).not.toBeNull()
  expect(provider.requests.length).toBeLessThanOrEqual(requestParts.length + 1)
  expect((await model()).refusedParts).toEqual([])
})

test('a refused part is stored even after an unclear end of the answer, which a test reports to staff', async () => {
  const unclear = 'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"a_new_reason"}]}\n\n'
  provider.does((request, response) => ('tools' in request ? status(400, noTools.tools) : bytes(unclear))(request, response))
  await forum.database.app.updateTable('assistant_model').set({ failures: 1 }).execute()
  expect(await answerBy(forum.database, { tools: look })).toMatchObject({ text: 'Hello.', refused: MayBeIncomplete })
  expect(await chief.call(desk.testModel, { modelId })).toMatchObject({ problem: 'unclearEnd', answer: 'Hello.' })
  expect(await model()).toMatchObject({ refusedParts: ['tools'] })
  expect(await forum.database.app.selectFrom('assistant_model').select('failures').executeTakeFirst()).toEqual({ failures: 1 })
})

test('a refusal of the result of a tool is none of the tools', async () => {
  provider.does((request, response) =>
    request.messages.at(-1)?.role === 'tool'
      ? status(400, '{"error":{"message":"messages with role tool must follow a call of a tool"}}')(request, response)
      : { calls: { name: 'look', input: { modelId: '1' } } },
  )
  expect((await answerBy(forum.database, { tools: look })).refused).not.toBeNull()
  expect(provider.requests).toHaveLength(2)
  expect((await model()).refusedParts).toEqual([])
})
