import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { StartedStream } from '#base/server/http/serve.ts'
import { ClientDisconnected, eventStreamSender } from '#base/server/http/stream.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { eventListener } from '#base/testing/listen.ts'
import { until } from '#base/testing/waits.ts'

/** A server with one streamed call, and the state of its work. */
async function aStream(begun: StartedStream, { stopMs = 60_000, heartbeatMs = 60_000, begins = Promise.resolve() } = {}) {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) })
  const app = fastify()
  const send = eventStreamSender(app, { headers: { 'x-frame-options': 'DENY' }, log, stopMs, heartbeatMs })
  let [arrived, over] = [0, 0]
  const viewerNow = async () => {
    throw new Error('Nobody asks')
  }
  app.post('/it', async (request, reply) => {
    arrived++
    await begins
    await send(request, reply, { start: begun, viewerNow, language: 'en' })
    over++
    return reply
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterFile(() => app.close())
  const listen = () => eventListener((how) => fetch(`${url}/it`, { method: 'POST', ...how }))
  return { app, listen, logged, arrived: () => arrived, over: () => over }
}

/** A source of chunks, each given on demand. */
function handed() {
  const waiting: ((piece: string | null) => void)[] = []
  const next = () => new Promise<string | null>((give) => void waiting.push(give))
  async function give(piece: string | null): Promise<void> {
    await until(() => waiting.length > 0)
    waiting.shift()?.(piece)
  }
  return { next, give }
}

test('pieces come at once, uncompressed, and the last event says that it is the end', async () => {
  const { next, give } = handed()
  const { listen } = await aStream(async function* () {
    for (let piece = await next(); piece !== null; piece = await next()) yield piece
  })
  const reader = await listen()
  expect(reader.status).toBe(200)
  expect(Object.fromEntries(reader.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'content-encoding': 'identity',
    'x-accel-buffering': 'no',
    'x-frame-options': 'DENY',
  })
  for (const piece of ['{"a":1}', '{"a":2}']) {
    await give(piece)
    await until(() => reader.events().at(-1)?.data === piece)
  }
  expect(reader.isClosed()).toBe(false)
  await give(null)
  await until(reader.isClosed)
  expect(reader.text()).toMatch(/event: end\ndata: {}\n\n$/)
})

test('a reader that leaves ends the work, and nothing of it is logged', async () => {
  let why: unknown
  const { listen, logged, over } = await aStream(async function* ({ signal }) {
    yield '{"a":1}'
    await once(signal, 'abort')
    why = signal.reason
    yield '{"kept":true}'
  })
  const reader = await listen()
  await until(() => reader.events().length === 1)
  reader.close()
  await until(() => over() === 1)
  expect(why).toBeInstanceOf(ClientDisconnected)
  expect(logged).toEqual([])
})

test('a stopping server says so in the last event, after the work has stored its part', async () => {
  const { next, give } = handed()
  const { app, listen, over } = await aStream(async function* ({ signal }) {
    yield '{"a":1}'
    await once(signal, 'abort')
    const update = await next()
    if (update) yield update
  })
  const reader = await listen()
  await until(() => reader.events().length === 1)
  const closed = app.close()
  await give('{"kept":true}')
  await closed
  await until(reader.isClosed)
  expect(over()).toBe(1)
  expect(reader.events().at(-1)?.data).toBe('{"kept":true}')
  expect(reader.text()).toMatch(/event: refused\ndata: {"status":503,"body":{"message":"[^"]+"}}\n\n$/)
})

test('a failure in the middle is logged, and reported without details', async () => {
  const { listen, logged } = await aStream(async function* () {
    yield '{"a":1}'
    throw new Error('The key is sk-12345')
  })
  const reader = await listen()
  await until(reader.isClosed)
  expect(reader.text()).toContain('event: refused\ndata: {"status":500')
  expect(reader.text()).not.toContain('sk-12345')
  expect(logged.join()).toContain('sk-12345')
})

const piece = JSON.stringify({ text: 'x'.repeat(64_000) })

/** A client that sends a request and reads nothing. */
async function aSleeper({ server }: { server: { address(): unknown } }): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write('POST /it HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')
  return socket
}

test('a reader that takes nothing holds the work back, and does not hold up a server that stops', async () => {
  let pieceCount = 0
  const { app, over } = await aStream(
    async function* ({ signal }) {
      for (; !signal.aborted; pieceCount++) yield piece
    },
    { stopMs: 1, heartbeatMs: 1 },
  )
  const sleeper = await aSleeper(app)
  await until(() => pieceCount > 0)
  let before = 0
  await expect
    .poll(() => {
      const isStill = pieceCount === before
      before = pieceCount
      return isStill
    })
    .toBe(true)
  expect(pieceCount).toBeLessThan(1_000)
  await app.close()
  expect(over()).toBe(1)
  sleeper.destroy()
})

test('a stream begun while the server stops ends at once, and says so', async () => {
  const begins = Promise.withResolvers<void>()
  const { app, listen, arrived } = await aStream(
    async function* ({ signal }) {
      signal.throwIfAborted()
      yield '{"a":1}'
    },
    { begins: begins.promise },
  )
  const coming = listen()
  await until(() => arrived() === 1)
  const closed = app.close()
  await until(() => !app.server.listening)
  begins.resolve()
  const reader = await coming
  await closed
  await until(reader.isClosed)
  expect(reader.text()).toMatch(/^event: refused\ndata: {"status":503/)
})
