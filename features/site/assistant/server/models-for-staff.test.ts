import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask } from '#assistant/contract.ts'
import { aProvider, streams } from '#assistant/testing/factories.ts'
import * as desk from '#assistant/staff-contract.ts'
import { usageView } from '#assistant/usage-contract.ts'
import { promptList } from '#assistant/prompt-contract.ts'
import { auditLog } from '#audit/contract.ts'
import type { RawInput } from '#base/contract.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { transact } from '#base/server/database/database.ts'
import { health } from '#maintenance/contract.ts'
import { baseInfo } from '#setting/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const chief = await aStaffer(forum)
const provider = await aProvider(() => ({ says: ['Hello ', 'there.'] }))
const key = 'sk-a-key-of-ours-0123456789'
let sentWith: (string | undefined)[] = []

const model = {
  name: 'Sage',
  protocol: 'openai' as const,
  address: provider.address,
  model: 'sage-1',
  jobs: ['chat', 'summary'] as ('chat' | 'summary')[],
  isEnabled: true,
} satisfies RawInput<typeof desk.addModel>

beforeEach(async () => {
  provider.does((_, { req }) => {
    sentWith.push(req.headers.authorization)
    return { says: ['Hello ', 'there.'] }
  })
  sentWith = []
  await forum.database.app.deleteFrom('assistant_model').execute()
  await transact(forum.database, (tx) => applySettings(tx, { allowAssistant: false }))
})

const add = async (more: object = {}) => (await chief.call(desk.addModel, { ...model, ...more })).modelId
const known = async (id: string) => {
  const one = (await chief.call(desk.modelList, {})).models.find((its) => its.id === id)
  if (!one) throw new Error('There is no such model')
  return one
}
const tested = (modelId: string) => chief.call(desk.testModel, { modelId })

test('only staff with the right see models, costs and prompts, and only those who manage them change them', async () => {
  const [looks, manages, other, member] = [
    await aStaffer(forum, ['assistant.view']),
    await aStaffer(forum, ['assistant.manage']),
    await aStaffer(forum, ['setting.change']),
    await forum.member(),
  ]
  for (const read of [desk.modelList, usageView, promptList]) {
    expect((await looks.tryCall(read, {})).status).toBe(200)
    for (const who of [other, member]) expect((await who.tryCall(read, {})).status).not.toBe(200)
  }
  expect((await manages.tryCall(desk.addModel, model)).status).toBe(200)
  for (const who of [looks, other, member]) {
    expect((await who.tryCall(desk.addModel, model)).status).not.toBe(200)
    expect((await who.tryCall(desk.testModel, { modelId: '1' })).status).not.toBe(200)
    expect((await who.tryCall(desk.useStandIn, {})).status).not.toBe(200)
  }
})

describe('a key', () => {
  test('goes to its own address, is kept by an empty field, and goes away with another address or when staff take it away', async () => {
    const modelId = await add({ apiKey: key })
    expect((await known(modelId)).hasKey).toBe(true)
    await tested(modelId)
    await chief.call(desk.editModel, { ...model, modelId, version: 1, name: 'Sage of tea' })
    await tested(modelId)
    expect(sentWith).toEqual([`Bearer ${key}`, `Bearer ${key}`])
    const elsewhere = provider.address.replace('/v1', '/v2')
    await chief.call(desk.editModel, { ...model, modelId, version: 2, address: elsewhere })
    expect((await known(modelId)).hasKey).toBe(false)
    await chief.call(desk.editModel, { ...model, modelId, version: 3 })
    await tested(modelId)
    expect(sentWith[2] ?? '').not.toContain(key)
    await chief.call(desk.editModel, { ...model, modelId, version: 4, apiKey: key })
    await chief.call(desk.editModel, { ...model, modelId, version: 5, removesKey: true })
    expect((await known(modelId)).hasKey).toBe(false)
  })

  test('is in no answer, no entry of the log, no readable row, and no reported failure', async () => {
    provider.does((_, response) => answerWith(response, 401, { error: { message: `Incorrect API key: ${key}` } }))
    const modelId = await add({ apiKey: key })
    await chief.call(desk.editModel, { ...model, modelId, version: 1, apiKey: `${key}x` })
    const answers = [
      await tested(modelId),
      await chief.call(desk.modelList, {}),
      await chief.call(auditLog, {}),
      await forum.database.app.selectFrom('assistant_model').selectAll().execute(),
      (await chief.tryCall(desk.addModel, { ...model, apiKey: key, address: 'nowhere' })).error,
    ]
    await transact(forum.database, (tx) => applySettings(tx, { allowAssistant: true }))
    const { pieces } = await streams(await forum.member(), ask, { prompt: 'Who are you?' })
    const text = JSON.stringify([...answers, pieces, await chief.call(desk.modelList, {})])
    expect(text).not.toContain(key)
    expect(text).toContain('HTTP 401')
  })
})

describe('the test of a model says', () => {
  test('the model, its time and its tokens', async () => {
    const its = await tested(await add())
    expect(its).toMatchObject({ problem: null, model: 'stand-in', answer: 'Hello there.' })
    expect(its.firstWordMs).toBeLessThanOrEqual(its.totalMs)
    expect(Math.min(its.inputTokens ?? 0, its.outputTokens ?? 0)).toBeGreaterThan(0)
  })

  test.each<[string, (response: ServerResponse) => null, string, number | null]>([
    ['a wrong key', (response) => answerWith(response, 401, {}), 'wrongKey', 401],
    ['a key that may not', (response) => answerWith(response, 403, {}), 'wrongKey', 403],
    ['an account without credit', (response) => answerWith(response, 402, {}), 'noCredit', 402],
    ['a model that there is not', (response) => answerWith(response, 404, { error: { message: 'x' } }), 'noSuchModel', 404],
    ['the same of others', (response) => answerWith(response, 400, { error: { message: 'Model Not Exist' } }), 'noSuchModel', 400],
    ['a call that is not understood', (response) => answerWith(response, 400, { error: { message: 'max_tokens' } }), 'refused', 400],
    ['too many calls', (response) => answerWith(response, 429, {}), 'tooMany', 429],
    ['a provider that fails', (response) => answerWith(response, 503, {}), 'failed', 503],
    ['a page in place of an answer', (response) => answerWith(response, 200, '<!doctype html><title>Tea</title>'), 'notAnAnswer', null],
    ['rubbish in the stream', rubbish, 'notAnAnswer', null],
    ['a provider that hangs up', (response) => (response.destroy(), null), 'noAnswer', null],
    ['a way that leads elsewhere', (response) => answerWith(response, 302, {}, { location: 'https://example.com' }), 'noAnswer', null],
  ])('%s', async (_, answers, problem, status) => {
    provider.does((_, response) => answers(response))
    expect(await tested(await add())).toMatchObject({ problem, status })
  })

  test('that nothing answers there', async () => {
    expect(await tested(await add({ address: 'http://127.0.0.1:9/v1' }))).toMatchObject({ problem: 'noAnswer', status: null })
  })

  test('that it answers again, and the model rests no more', async () => {
    const modelId = await add()
    await transact(forum.database, (tx) => applySettings(tx, { allowAssistant: true }))
    // It is not retried within the same answer, unlike a model that only fails.
    provider.does((_, response) => answerWith(response, 401, {}))
    const mei = await forum.member()
    for (let time = 0; time < 3; time++) await streams(mei, ask, { prompt: 'Are you there?' })
    expect(await known(modelId)).toMatchObject({ failure: { says: 'HTTP 401', times: 3 }, restsUntil: expect.any(String) })
    expect((await chief.call(health, {})).assistant).toMatchObject({ models: 1, failing: 1 })
    provider.does(() => ({ says: ['Hello.'] }))
    await tested(modelId)
    expect(await known(modelId)).toMatchObject({ failure: { times: 0 }, restsUntil: null })
  })
})

function answerWith(response: ServerResponse, status: number, body: unknown, more: Record<string, string> = {}): null {
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...more })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
  return null
}

function rubbish(response: ServerResponse): null {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end('data: {"choices": "tea"}\n\n')
  return null
}

test('two edits of a model at once do not overwrite each other', async () => {
  const modelId = await add()
  await chief.call(desk.editModel, { ...model, modelId, version: 1, name: 'Mine' })
  expect((await chief.tryCall(desk.editModel, { ...model, modelId, version: 1, name: 'Theirs' })).status).toBe(409)
  expect((await known(modelId)).name).toBe('Mine')
})

test.each(['nowhere', 'ftp://example.com', 'http://example.com/v1', 'https://user:pass@example.com', 'https://example.com/v1?key=1'])(
  'an address like %s is refused beside its field',
  async (address) => {
    expect((await chief.tryCall(desk.addModel, { ...model, address })).error['address']).toMatch(/^Enter an address/)
  },
)

test.each([
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/', 'https://api.example.com/v1'],
  ['http://ollama:11434/v1', 'http://ollama:11434/v1'],
  ['http://192.168.1.20:8000/v1', 'http://192.168.1.20:8000/v1'],
])('the address %s is taken as %s', async (address, expected) => {
  expect((await known(await add({ address }))).address).toBe(expected)
})

test('the assistant is switched on once a model answers, and every trace of it goes with the last one', async () => {
  const mei = await forum.member()
  const chats = async () => (await mei.call(baseInfo, {})).aiAssistantParameter.allowChat
  expect((await chief.tryCall(changeSettings, { allowAssistant: true })).error['allowAssistant']).toMatch(/AI models/)
  const modelId = await add({ isEnabled: false })
  expect((await chief.tryCall(changeSettings, { allowAssistant: true })).status).toBe(422)
  await chief.call(desk.switchModel, { modelId, isEnabled: true })
  await chief.call(changeSettings, { allowAssistant: true })
  expect(await chats()).toBe(true)
  await chief.call(desk.removeModel, { modelId })
  expect(await chats()).toBe(false)
  expect((await mei.tryCall(ask, { prompt: 'Hello?' })).error['assistant']).toMatch(/No model/)
  expect((await chief.call(health, {})).assistant).toMatchObject({ models: 0 })
})

test('the built-in stand-in answers on this machine, says that it is one, and cannot be changed into a model', async () => {
  await chief.call(desk.useStandIn, {})
  await chief.call(desk.useStandIn, {})
  const { models, canStandIn } = await chief.call(desk.modelList, {})
  expect([canStandIn, models.map(({ isStandIn, isEnabled }) => [isStandIn, isEnabled])]).toEqual([true, [[true, true]]])
  const { id, version } = await known(models[0]?.id ?? '')
  expect(await tested(id)).toMatchObject({ problem: null, answer: expect.stringContaining('stand-in') })
  expect((await chief.tryCall(desk.editModel, { ...model, modelId: id, version })).status).toBe(422)
  await chief.call(changeSettings, { allowAssistant: true })
  const { pieces } = await streams(await forum.member(), ask, { prompt: 'Hello?' })
  expect(pieces.at(-1)?.turn).toMatchObject({ isStandIn: true, answer: expect.stringContaining('stand-in') })
})
