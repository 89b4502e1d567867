import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openApp } from '#apps/server/app.ts'
import { readConfig } from '#base/server/config.ts'
import { enqueue, prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
import { transact } from '#base/server/database/database.ts'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import { currentTracer, startTracing, traced } from '#base/server/tracing/trace.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'

// A receiver of traces that takes OTLP over HTTP as its specification says, and refuses all else.
const Value = z.strictObject({ stringValue: z.string() }).or(z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }))
const Attributes = z.array(z.strictObject({ key: z.string().min(1), value: Value.or(z.strictObject({ doubleValue: z.number() })) }))
const hex = (length: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${length}}$`))
const Span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: Attributes,
  status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
})
const Scope = z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(Span).min(1) })
const Export = z.strictObject({
  resourceSpans: z.array(z.strictObject({ resource: z.strictObject({ attributes: Attributes }), scopeSpans: z.array(Scope) })),
})

const received: z.infer<typeof Span>[] = []
const texts: string[] = []
let resource: Record<string, unknown> = {}
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (piece) => (text += String(piece)))
  request.on('end', () => {
    if (request.url !== '/v1/traces' || request.headers['x-key'] !== 'a secret') return response.writeHead(404).end()
    for (const { resource: its, scopeSpans } of Export.parse(JSON.parse(text)).resourceSpans) {
      resource = Object.fromEntries(its.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
      received.push(...scopeSpans.flatMap(({ spans }) => spans))
    }
    texts.push(text)
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
const env = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
  OTEL_SERVICE_NAME: 'tea',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=no',
}
const log = pino({ level: 'silent' })
const { database, ownerUrl, close } = await freshDatabase()
const app = await openApp({ config: readConfig({ TEAHOUSE_KEY: testKey }), database, log })
let unfinished = 0
app.server.on('request', (_, response) => {
  unfinished++
  response.once('close', () => unfinished--)
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await app.close()
  await close()
  await new Promise((closed) => receiver.close(closed))
})

/** The spans of what is done, with more variables. */
async function spansOf(work: () => Promise<unknown>, more: NodeJS.ProcessEnv = {}, trustProxy: string[] = []) {
  received.length = 0
  const end = await startTracing({ trustProxy, log }, { ...env, ...more })
  try {
    await work()
    // A span ends when its answer has left.
    await expect.poll(() => unfinished).toBe(0)
  } finally {
    await end()
  }
  return received.map(({ attributes, ...span }) => ({
    ...span,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }))
}

test('without a receiver nothing is traced', async () => {
  await startTracing({ trustProxy: [], log }, { OTEL_SERVICE_NAME: 'tea' })
  expect(currentTracer()).toBeNull()
  await startTracing({ trustProxy: [], log }, { ...env, OTEL_SDK_DISABLED: 'true' })
  expect(currentTracer()).toBeNull()
})

test('a request is a span with its route and status, and its statements are parts of it, without values', async () => {
  const spans = await spansOf(() => fetch(`${url}/api/thread?topicId=987654321`, { headers: { cookie: 'leaf=green' } }))
  const request = spans.find(({ kind }) => kind === 2)
  expect(request).toMatchObject({
    name: 'GET /api/thread',
    attributes: { 'http.request.method': 'GET', 'http.route': '/api/thread', 'http.response.status_code': expect.any(String) },
  })
  const statements = spans.filter(({ attributes }) => 'db.query.text' in attributes)
  expect(statements.length).toBeGreaterThan(0)
  expect(Number(request?.attributes['db.statements'])).toBeGreaterThanOrEqual(statements.length)
  for (const { traceId, parentSpanId } of statements) expect([traceId, parentSpanId]).toEqual([request?.traceId, expect.any(String)])
  expect(resource).toMatchObject({ 'service.name': 'tea', 'deployment.environment.name': 'test', 'service.version': expect.any(String) })
  expect(texts.join('')).not.toMatch(/987654321|leaf|green/)
})

test('a job, its transaction and what it asks of other machines are spans of one trace', async () => {
  await prepareJobs(ownerUrl)
  let runs = 0
  const job: Job = {
    name: 'brew',
    async run(context) {
      await transact(context.database, (tx) => tx.selectFrom('member').select('id').execute())
      await fetchConfigured(new URL(`${endpoint}/hidden-path?token=steep`))
      runs++
      throw Object.assign(new Error('Key (email)=(mei@example.org) already exists'), { code: '23505' })
    },
  }
  const spans = await spansOf(async () => {
    const working = await startJobs(ownerUrl, [job], { database, log, dataDir: '' })
    await transact(database, (tx) => enqueue(tx, job, {}))
    await expect.poll(() => runs).toBeGreaterThan(0)
    await working.stop()
  })
  const ran = spans.find(({ name }) => name === 'job brew')
  expect(ran).toMatchObject({ kind: 5, status: { code: 2 }, attributes: { 'job.name': 'brew', 'error.type': '23505' } })
  const its = spans.filter(({ traceId }) => traceId === ran?.traceId)
  expect(its.map(({ name }) => name)).toEqual(expect.arrayContaining(['transaction', 'select', 'GET', 'job brew']))
  expect(its.find(({ name }) => name === 'GET')?.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'server.port': expect.any(String),
    'http.response.status_code': '404',
  })
  expect(texts.join('')).not.toMatch(/hidden-path|steep|mei@/)
})

const theirs = '4bf92f3577b34da6a3ce929d0e0e4736'
const ask = () => fetch(`${url}/api/baseInfo`, { headers: { traceparent: `00-${theirs}-00f067aa0ba902b7-01` } })

test('a parent is taken only from a trusted proxy, and only where the operator says that it sets it', async () => {
  const trust = { TEAHOUSE_TRACEPARENT: '1' }
  const tracesOf = async (...how: [NodeJS.ProcessEnv, string[]]) => (await spansOf(ask, ...how)).map(({ traceId }) => traceId)
  expect(await tracesOf({}, ['127.0.0.1'])).not.toContain(theirs)
  expect(await tracesOf(trust, ['10.0.0.0/8'])).not.toContain(theirs)
  expect(new Set(await tracesOf(trust, ['127.0.0.0/8']))).toEqual(new Set([theirs]))
})

test('the sampler decides for whole traces, and the parent where it is told to', async () => {
  expect(await spansOf(ask, { OTEL_TRACES_SAMPLER: 'always_off' })).toEqual([])
  const never = { OTEL_TRACES_SAMPLER_ARG: '0', TEAHOUSE_TRACEPARENT: '1' }
  expect(await spansOf(ask, { ...never, OTEL_TRACES_SAMPLER: 'traceidratio' }, ['127.0.0.1'])).toEqual([])
  expect((await spansOf(ask, { ...never, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, ['127.0.0.1'])).length).toBeGreaterThan(0)
  const tenth = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  const work = async () => {
    for (let n = 0; n < 2_000; n++) await traced({ name: 'sip', kind: 'internal' }, async () => undefined)
  }
  expect((await spansOf(work, tenth)).length).toSatisfy((count: number) => count > 100 && count < 320)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be the address'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc'],
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER must be'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, 'a number from 0 to 1'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'pairs with commas'],
])('%j is refused with a sentence', async (wrong, sentence) => {
  await expect(startTracing({ trustProxy: [], log }, { ...env, ...wrong })).rejects.toThrow(sentence)
})
