import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerIn } from '#assistant/server/protocol/answer.ts'
import { ModelFault } from '#assistant/server/protocol/event.ts'

const piece = (delta: object, finish_reason: unknown = null) => ({ id: '1', choices: [{ index: 0, delta, finish_reason }] })
const message = (content: string, finish_reason: unknown = null) => ({ choices: [{ index: 0, message: { content }, finish_reason }] })
const written = (...pieces: readonly unknown[]) => pieces.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const done = 'data: [DONE]\n\n'

type Chunks = Iterable<string> | AsyncIterable<string>

function responseOf(chunks: Chunks, type = 'text/event-stream'): Response {
  const body = Readable.toWeb(Readable.from(bytesOf(chunks))) as ReadableStream
  return new Response(body, { headers: { 'content-type': type } })
}

async function* bytesOf(chunks: Chunks): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) yield new TextEncoder().encode(chunk)
}

async function read(chunks: Chunks, type?: string) {
  const answer = { text: '', calls: [] as { toolName: string; input: string }[], reason: '' }
  for await (const part of answerIn('openai', responseOf(chunks, type), () => undefined)) {
    if (part.type === 'text-delta') answer.text += part.delta
    if (part.type === 'tool-call') answer.calls.push({ toolName: part.toolName, input: part.input })
    if (part.type === 'finish') answer.reason = part.finishReason.unified
  }
  return answer
}

const whole = { text: 'It is tea.', calls: [], reason: 'stop' }

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

test('messages in place of deltas are parts of the answer, or all of it so far', async () => {
  expect(await read([written(message('It '), message('is tea.'), message('', 'stop')), done])).toEqual(whole)
  expect(await read([written(message('It '), message('It is '), message('It is tea.', 'stop')), done])).toEqual(whole)
})

test.each(['text/event-stream', 'application/json', 'application/x-ndjson', 'text/plain'])(
  'an answer is read by its form, under any content type: %s',
  async (type) => {
    const deltas = [piece({ content: 'It is' }), piece({ content: ' tea.' }), piece({}, 'stop')]
    expect(await read([written(...deltas), done], type)).toEqual(whole)
    expect(await read(['\ufeff', '\n', written(...deltas)], type)).toEqual(whole)
    expect(await read([JSON.stringify(message('It is tea.', 'stop'), null, 2)], type)).toEqual(whole)
    expect(await read([deltas.map((delta) => JSON.stringify(delta)).join('\n')], type)).toEqual(whole)
  },
)

test('a message after deltas repeats them, however it is written', async () => {
  expect(await read([written(piece({ content: 'It is tea.' }), message(' It is  tea.\n', 'stop'))])).toEqual(whole)
})

test('a delta with only a role does not hide the message', async () => {
  const both = { choices: [{ index: 0, delta: { role: 'assistant' }, message: { content: 'It is tea.' }, finish_reason: 'stop' }] }
  expect(await read([written(both)])).toEqual(whole)
})

test.each([7, 1.5, true, { text: 7 }, [7]])('content of %j is no text', async (content) => {
  expect(await read([written(piece({ content: 'It is tea.' }), piece({ content }), piece({}, 'stop'))])).toEqual(whole)
})

test.each([0, '', false, {}, { code: 0, message: '' }, { code: null, message: null }])('an error of %j is no error', async (error) => {
  expect(await read([written({ ...piece({ content: 'It is tea.' }), error }, piece({}, 'stop'))])).toEqual(whole)
})

test.each([
  { error: 'Oops' },
  { error: { message: 'Oops' } },
  { code: 500, message: 'Oops', choices: null },
  { object: 'error', choices: [] },
])('a fault written as %j ends the answer', async (fault) => {
  await expect(read([written(piece({ content: 'It is' }), fault)])).rejects.toThrow(ModelFault)
})

test.each(['error', 'length', 'a_new_reason'])('a reason of %s after a whole answer changes nothing', async (reason) => {
  expect(await read([written(piece({ content: 'It is tea.' }), piece({}, 'stop'), piece({}, reason)), done])).toEqual(whole)
})

test('a provider that repeats the reason in every piece is taken by the last one', async () => {
  const pieces = [piece({ content: 'It is' }, 'stop'), piece({ content: ' tea' }, 'length')]
  expect(await read([written(...pieces)])).toMatchObject({ text: 'It is tea', reason: 'length' })
})

test('a provider that gives a reason in every piece may pause, and fail', async () => {
  const first = written(piece({ content: 'It is' }, 'stop'), piece({ content: ' te' }, 'stop'))
  async function* pausing() {
    yield first
    vi.advanceTimersByTime(2_500)
    yield written(piece({ content: 'a.' }, 'stop'))
  }
  expect(await read(pausing())).toEqual(whole)
  await expect(read([first, written({ error: 'Oops' })])).rejects.toThrow(ModelFault)
})

test('a stream that has ended is left, even where signs of life go on', async () => {
  let isLeft = false
  async function* living() {
    try {
      yield written(piece({ content: 'It is tea.' }), piece({}, 'stop'))
      for (;;) {
        vi.advanceTimersByTime(200)
        yield ': keep-alive\n\n'
      }
    } finally {
      isLeft = true
    }
  }
  const reader = answerIn('openai', responseOf(living()), () => (isLeft = true))
  let text = ''
  for await (const part of reader) if (part.type === 'text-delta') text += part.delta
  expect([text, isLeft]).toEqual(['It is tea.', true])
})

test('calls that all have the first place and no id are kept apart, and a name without a call is none', async () => {
  const call = (name: string, input: string) => piece({ tool_calls: [{ index: 0, function: { name, arguments: input } }] })
  expect((await read([written(call('look', '{"at":1}'), call('read', '{"at":2}'), piece({}, 'tool_calls'))])).calls).toEqual([
    { toolName: 'look', input: '{"at":1}' },
    { toolName: 'read', input: '{"at":2}' },
  ])
  expect(await read([written(piece({ content: 'I look.' }), piece({}, 'tool_calls'))])).toMatchObject({ calls: [], reason: 'other' })
})

test.each(['Data: ', 'DATA:', ' data: ', 'data : '])('pieces of the field %j are read', async (field) => {
  const all = written(piece({ content: 'It is' }), piece({ content: ' tea.' }), piece({}, 'stop')) + done
  expect(await read([all.replaceAll('data: ', field)])).toEqual(whole)
  expect(await read([...`Event: message\n${all.replaceAll('data: ', field)}`])).toEqual(whole)
})

test('an event without an end is left', async () => {
  async function* endless() {
    for (;;) yield `data: ${'x'.repeat(10_000)}\n`
  }
  await expect(read(endless())).rejects.toThrow(ModelFault)
})
