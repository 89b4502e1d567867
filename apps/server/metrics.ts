import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { forumMetrics } from '#apps/server/forum-metrics.ts'
import { counter, gauge, prometheus, valuesBy } from '#apps/server/metric.ts'
import { metricsOfAll } from '#apps/server/worker-metrics.ts'
import { isSupervised } from '#apps/server/workers.ts'
import { isUnavailable, type Database } from '#base/server/database/database.ts'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import type { AnswerMetrics } from '#base/server/http/request-listener.ts'
import { jobSeconds } from '#base/server/jobs/jobs.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { histogram } from '#base/server/histogram.ts'
import * as assistant from '#assistant/server/assistant.ts'

const forumTimeoutMs = 5_000

export type Metrics = {
  /** Called after every answer. */
  onAnswer(answer: AnswerMetrics): void
  serve(app: FastifyInstance, sources: MetricsSources): void
}

type MetricsSources = {
  database: Database
  cache: PageCache
  dataDir: string
  /** The number of open event streams. */
  openStreams(): number
}

/**
 * `/metrics` for Prometheus, with a bearer token: of all processes at this port, whichever of them answers. Without a token nothing is
 * measured, and the address does not exist.
 */
export function metricsFor(token: string | null): Metrics | null {
  if (token === null) return null
  const answers = histogram('teahouse_answer_seconds', 'Response time of HTTP requests in seconds.', ['route', 'method', 'status'])
  return {
    onAnswer: ({ route, method, status, ms }) =>
      answers.observe([route.startsWith('/assets/') ? '/assets/*' : route, method, String(status)], ms / 1000),
    serve(app, sources) {
      const [registry, forum] = [processMetrics(app, sources), forumMetrics(sources.database, sources.dataDir)]
      const own = async () => [await registry.metrics(), answers.text(), jobSeconds.text()].join('\n')
      const all = isSupervised ? metricsOfAll(own) : own
      app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (!isBearer(request.headers.authorization, token)) return reply.code(401).header('www-authenticate', 'Bearer').send()
        const [its, ofForum] = await Promise.all([all(), inTime(forum)])
        return reply.type(registry.contentType).send(`${its}\n${ofForum}`)
      })
    },
  }
}

// Compared as hashes, so that timing reveals neither length nor beginning.
function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(hashOf(authorization?.replace(/^bearer +/i, 'Bearer ') ?? ''), hashOf(`Bearer ${token}`))
}

/** While the database does not answer, the rest is still there, and one metric that says so. */
async function inTime(forum: Registry): Promise<string> {
  const up = '# HELP teahouse_database_up 1 if the database answered in time.\n# TYPE teahouse_database_up gauge\nteahouse_database_up'
  try {
    return `${await withDeadline(forumTimeoutMs, () => forum.metrics())}\n${up} 1\n`
  } catch (error) {
    if (!isUnavailable(error) && !(error instanceof DeadlineExceeded)) throw error
    return `${up} 0\n`
  }
}

function processMetrics(app: FastifyInstance, { database, cache, openStreams }: MetricsSources): Registry {
  const registry = new (prometheus().Registry)()
  prometheus().collectDefaultMetrics({ register: registry })
  app.addHook('onClose', () => registry.clear())

  measureDatabase(registry, database)
  counter(
    registry,
    { name: 'teahouse_page_cache_requests_total', help: 'Lookups in the page cache by result.', labelNames: ['result'] },
    () => valuesBy('result', { hit: cache.hits, miss: cache.misses }),
  )
  const single = (name: string, help: string, read: () => number) => gauge(registry, { name, help }, () => [{ labels: {}, value: read() }])
  single('teahouse_page_cache_bytes', 'Size of the page cache in bytes.', () => cache.bytes)
  single('teahouse_page_cache_entries', 'Number of entries in the page cache.', () => cache.entries)
  single('teahouse_streams', 'Open event streams.', openStreams)
  counter(
    registry,
    { name: 'teahouse_assistant_answers_total', help: 'Finished answers of the AI assistant by outcome.', labelNames: ['outcome'] },
    () => valuesBy('outcome', assistant.counted().answers),
  )
  const failures = { name: 'teahouse_assistant_provider_failures_total', help: 'Failed calls to providers of the AI assistant.' }
  counter(registry, failures, () => [{ labels: {}, value: assistant.counted().failures }])
  return registry
}

function measureDatabase(registry: Registry, database: Database): void {
  const pools = 'Database connections by pool and state.'
  gauge(registry, { name: 'teahouse_pool_connections', help: pools, labelNames: ['pool', 'state'] }, () =>
    database
      .pools()
      .flatMap(({ name, total, idle, waiting }) =>
        valuesBy('state', { busy: total - idle, idle, waiting }).map(({ labels, value }) => ({ labels: { pool: name, ...labels }, value })),
      ),
  )
  const commits = 'Commits as last tried: 1 while they are made, and 0 since so many seconds. Nothing while it is not known.'
  gauge(registry, { name: 'teahouse_commits', help: commits, labelNames: ['what'] }, () => commitValues(database.commits))
  const replica = 'Read replica: seconds behind the primary, and 1 while reads go to it. Nothing without one.'
  gauge(registry, { name: 'teahouse_replica', help: replica, labelNames: ['what'] }, () => replicaValues(database.replica()))
}

function replicaValues(replica: ReplicaState | null) {
  if (!replica) return []
  const { state, lagSeconds } = replica
  return valuesBy('what', { ...(lagSeconds !== null && { lag_seconds: lagSeconds }), used: state === 'up' ? 1 : 0 })
}

function commitValues({ state: { state }, seconds }: Database['commits']) {
  if (state === 'unknown') return []
  return valuesBy('what', state === 'up' ? { up: 1, waiting_seconds: 0 } : { up: 0, waiting_seconds: seconds })
}
