import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '#base/server/database/database.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import type { AnswerMetrics } from '#base/server/http/request-listener.ts'
import { jobSeconds, queues } from '#base/server/jobs/jobs.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { histogram } from '#base/server/histogram.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'
import * as assistant from '#assistant/server/assistant.ts'
import * as reconciliation from '#reconciliation/server/reconciliation.ts'
import { booksState } from '#wallet/server/books-state.ts'

const prometheus = lazyPackage((load) => load('prom-client') as typeof import('prom-client'))

export type Metrics = {
  /** Called after every answer. */
  onAnswer(answer: AnswerMetrics): void
  serve(app: FastifyInstance, sources: MetricsSources): void
}

type MetricsSources = { database: Database; cache: PageCache; /** The number of open event streams. */ openStreams(): number }

/** `/metrics` for Prometheus, with a bearer token. Without one nothing is measured, and the address does not exist. */
export function metricsFor(token: string | null): Metrics | null {
  if (token === null) return null
  const answers = histogram('teahouse_answer_seconds', 'Response time of HTTP requests in seconds.', ['route', 'method', 'status'])
  return {
    onAnswer: ({ route, method, status, ms }) =>
      answers.observe([route.startsWith('/assets/') ? '/assets/*' : route, method, String(status)], ms / 1000),
    serve(app, sources) {
      const registry = measure(app, sources)
      app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (!isBearer(request.headers.authorization, token)) return reply.code(401).header('www-authenticate', 'Bearer').send()
        return reply.type(registry.contentType).send([await registry.metrics(), answers.text(), jobSeconds.text()].join('\n'))
      })
    },
  }
}

// Compared as hashes, so that timing reveals neither length nor beginning.
function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(hashOf(authorization?.replace(/^bearer +/i, 'Bearer ') ?? ''), hashOf(`Bearer ${token}`))
}

function measure(app: FastifyInstance, { database, cache, openStreams }: MetricsSources): Registry {
  const registry = new (prometheus().Registry)()
  prometheus().collectDefaultMetrics({ register: registry })
  app.addHook('onClose', () => registry.clear())

  measureDatabase(registry, database)
  counter(registry, 'teahouse_page_cache_requests_total', 'Lookups in the page cache by result.', ['result'], () => [
    { labels: { result: 'hit' }, value: cache.hits },
    { labels: { result: 'miss' }, value: cache.misses },
  ])
  gauge(registry, 'teahouse_page_cache_bytes', 'Size of the page cache in bytes.', [], () => [{ labels: {}, value: cache.bytes }])
  gauge(registry, 'teahouse_page_cache_entries', 'Number of entries in the page cache.', [], () => [{ labels: {}, value: cache.entries }])
  gauge(registry, 'teahouse_streams', 'Open event streams.', [], () => [{ labels: {}, value: openStreams() }])
  gauge(registry, 'teahouse_jobs', 'Waiting, running and recently failed jobs, as last counted.', ['job', 'state'], async () =>
    (await queues(database.app)).flatMap(({ name, readyCount, activeCount, failedCount }) => [
      { labels: { job: name, state: 'waiting' }, value: readyCount },
      { labels: { job: name, state: 'running' }, value: activeCount },
      { labels: { job: name, state: 'failed' }, value: failedCount },
    ]),
  )
  gauge(
    registry,
    'teahouse_books',
    'Ledger of points and balance: frozen or not, breaches in the last checks, and overdue checks.',
    ['what'],
    async () => {
      const { frozen, looks, late } = await booksState(database.reader)
      return [
        { labels: { what: 'frozen' }, value: frozen ? 1 : 0 },
        { labels: { what: 'breaches' }, value: looks.reduce((sum, { breaches }) => sum + breaches.length, 0) },
        { labels: { what: 'late_new' }, value: late.some(({ of }) => of === 'new') ? 1 : 0 },
        { labels: { what: 'late_full' }, value: late.some(({ of }) => of === 'full') ? 1 : 0 },
      ]
    },
  )
  gauge(
    registry,
    'teahouse_payments',
    'Payments by provider: failures in a row, age of pending events, late orders and refunds, days until a key expires.',
    ['provider', 'what'],
    async () => (await reconciliation.health(database.reader)).flatMap(paymentValues),
  )
  return withAssistant(registry, database)
}

function measureDatabase(registry: Registry, database: Database): void {
  gauge(registry, 'teahouse_pool_connections', 'Database connections by pool and state.', ['pool', 'state'], () =>
    database.pools().flatMap(({ name, total, idle, waiting }) => [
      { labels: { pool: name, state: 'busy' }, value: total - idle },
      { labels: { pool: name, state: 'idle' }, value: idle },
      { labels: { pool: name, state: 'waiting' }, value: waiting },
    ]),
  )
  const commits = 'Commits as last tried: 1 while they are made, and 0 since so many seconds. Nothing while it is not known.'
  gauge(registry, 'teahouse_commits', commits, ['what'], () => commitValues(database.commits))
  const replica = 'Read replica: seconds behind the primary, and 1 while reads go to it. Nothing without one.'
  gauge(registry, 'teahouse_replica', replica, ['what'], () => replicaValues(database.replica()))
}

function withAssistant(registry: Registry, database: Database): Registry {
  gauge(
    registry,
    'teahouse_assistant',
    'AI assistant: running answers on all servers, available and failing models, and the used share of the monthly budget in hundredths.',
    ['what'],
    async () => {
      const [running, health] = await Promise.all([assistant.running(database.reader), assistant.health(database.reader)])
      const values = { running, models: health?.models ?? 0, failing: health?.failing ?? 0, budget_share: health?.budget.share ?? 0 }
      return Object.entries(values).map(([what, value]) => ({ labels: { what }, value }))
    },
  )
  gauge(registry, 'teahouse_assistant_answers', 'Finished answers of the AI assistant in this process by outcome.', ['outcome'], () =>
    Object.entries(assistant.counted().answers).map(([outcome, value]) => ({ labels: { outcome }, value })),
  )
  gauge(registry, 'teahouse_assistant_provider_failures', 'Failed calls of this process to providers of the AI assistant.', [], () => [
    { labels: {}, value: assistant.counted().failures },
  ])
  return registry
}

function replicaValues(replica: ReplicaState | null): Value[] {
  if (!replica) return []
  const lag = replica.lagSeconds === null ? [] : [{ labels: { what: 'lag_seconds' }, value: replica.lagSeconds }]
  return [...lag, { labels: { what: 'used' }, value: replica.state === 'up' ? 1 : 0 }]
}

function commitValues({ state: { state }, seconds }: Database['commits']): Value[] {
  if (state === 'unknown') return []
  const isUp = state === 'up'
  return [
    { labels: { what: 'up' }, value: isUp ? 1 : 0 },
    { labels: { what: 'waiting_seconds' }, value: isUp ? 0 : seconds },
  ]
}

function paymentValues({
  name,
  failures,
  inboxSeconds,
  suspended,
  unreadable,
  lateOrders,
  lateRefunds,
  failedStatements,
  endings,
}: ProviderHealth): Value[] {
  const ends = endings.map(({ endsAt }) => (Date.parse(endsAt) - Date.now()) / 86_400_000)
  const values = {
    failures,
    waiting_seconds: inboxSeconds ?? 0,
    suspended,
    unreadable,
    late_orders: lateOrders,
    late_refunds: lateRefunds,
    failed_statements: failedStatements,
    ...(ends.length > 0 && { days_left: Math.min(...ends) }),
  }
  return Object.entries(values).map(([what, value]) => ({ labels: { provider: name, what }, value }))
}

type Value = { labels: Record<string, string>; value: number }

function gauge(registry: Registry, name: string, help: string, labelNames: string[], read: () => Value[] | Promise<Value[]>): void {
  const values = new (prometheus().Gauge)({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const now = await read()
      // A series that is gone must not keep its last value.
      values.reset()
      for (const { labels, value } of now) values.set(labels, value)
    },
  })
}

/** A counter whose total is kept elsewhere. */
function counter(registry: Registry, name: string, help: string, labelNames: string[], read: () => Value[]): void {
  const total = new (prometheus().Counter)({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      total.reset()
      for (const { labels, value } of read()) total.inc(labels, value)
    },
  })
}
