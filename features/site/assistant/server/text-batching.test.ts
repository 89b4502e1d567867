import { expect, test } from 'vitest'
import { batchText, type Event } from '#assistant/server/text-batching.ts'

const never = () => new Promise<void>(() => undefined)
const say = (text: string): Event => ({ kind: 'text', text })
const textsOf = (events: readonly Event[]) => events.map((event) => (event.kind === 'text' ? event.text : event.kind))

async function all(events: AsyncIterable<Event>, everyMs?: number): Promise<Event[]> {
  const received: Event[] = []
  for await (const event of batchText(events, () => undefined, everyMs)) received.push(event)
  return received
}

test('text that arrives together is sent together, before the next event, and at the end', async () => {
  async function* events(): AsyncIterable<Event> {
    yield* ['Te', 'a', ' is'].map(say)
    yield { kind: 'calls', input: {} }
    yield { kind: 'called' }
    yield* [' green', '.'].map(say)
  }
  expect(textsOf(await all(events(), 60_000))).toEqual(['Te', 'a is', 'calls', 'called', ' green.'])
})

test('words do not wait for the next event', async () => {
  async function* events(): AsyncIterable<Event> {
    yield* ['Te', 'a'].map(say)
    await never()
  }
  const received = batchText(events(), () => undefined)[Symbol.asyncIterator]()
  expect([await received.next(), await received.next()]).toMatchObject([{ value: say('Te') }, { value: say('a') }])
})

test('a reader who leaves while the next event is awaited ends the stream', async () => {
  const end = new AbortController()
  let isEnded = false
  async function* events(): AsyncIterable<Event> {
    try {
      yield* ['Te', 'a'].map(say)
      await new Promise((_, fail) => end.signal.addEventListener('abort', () => fail(end.signal.reason)))
    } finally {
      isEnded = true
    }
  }
  let text = ''
  for await (const event of batchText(events(), () => end.abort())) {
    text += event.kind === 'text' ? event.text : ''
    if (text === 'Tea') break
  }
  expect(isEnded).toBe(true)
})

test('a failure comes after the text before it', async () => {
  async function* events(): AsyncIterable<Event> {
    yield* ['Te', 'a'].map(say)
    throw new Error('It breaks')
  }
  const received: Event[] = []
  const reading = async () => {
    for await (const event of batchText(events(), () => undefined, 60_000)) received.push(event)
  }
  await expect(reading()).rejects.toThrow('It breaks')
  expect(textsOf(received)).toEqual(['Te', 'a'])
})
