import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { readConfig } from '#base/server/config.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import { enqueue, prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'

const token = 'a-token-nobody-guesses'
const { database, ownerUrl, close } = await freshDatabase()
await prepareJobs(ownerUrl)
const log = pino({ level: 'silent' })
const config = readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_METRICS_TOKEN: token, TEAHOUSE_SAMPLE: '0' })
const app = await openApp({ config, database, log })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await app.close()
  await close()
})

const read = async () => (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  )

test('the metrics are readable only with the token', async () => {
  for (const authorization of [undefined, 'Bearer ', `Bearer ${token}x`, token, `Basic ${token}`]) {
    const answer = await app.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } })
    expect(answer).toMatchObject({ statusCode: 401, body: '', headers: { 'cache-control': 'no-store', 'www-authenticate': 'Bearer' } })
  }
})

test('without a token there are no numbers', async () => {
  const quiet = await openApp({ config: { ...config, metricsToken: null }, database, log })
  const answer = await quiet.inject({ url: '/metrics', headers: { authorization: 'Bearer null' } })
  await quiet.close()
  expect(answer.statusCode).toBe(404)
})

test('each route is counted with its status, cached answers too', async () => {
  for (let times = 0; times < 5; times++) await fetch(`${url}/api/topic/list`)
  await fetch(`${url}/api/thread?topicId=999`)
  await fetch(`${url}/api/thread?topicId=secret-words`)
  await fetch(`${url}/nowhere/secret-path`, { redirect: 'manual' })
  const text = await read()
  expect(valueOf(text, 'teahouse_answer_seconds_count{route="/api/topic/list",method="GET",status="200"}')).toBe(5)
  expect(valueOf(text, 'teahouse_answer_seconds_count{route="/api/thread",method="GET",status="404"}')).toBe(1)
  expect(valueOf(text, 'teahouse_answer_seconds_count{route="/api/thread",method="GET",status="400"}')).toBe(1)
  expect(text).toContain('teahouse_answer_seconds_count{route="none",method="GET"')
  expect(text).not.toContain('secret')
  expect(valueOf(text, 'teahouse_page_cache_requests_total{result="hit"}')).toBeGreaterThanOrEqual(4)
})

test('the pools, the event loop and the memory are there', async () => {
  const text = await read()
  expect(valueOf(text, 'teahouse_pool_connections{pool="reader",state="idle"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'teahouse_pool_connections{pool="app",state="waiting"}')).toBe(0)
  expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  for (const line of text.split('\n').filter(Boolean)) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? (\S+))$/)
})

test('commits are measured as soon as one was tried', async () => {
  await expect.poll(async () => valueOf(await read(), 'teahouse_commits{what="up"}')).toBe(1)
  expect(valueOf(await read(), 'teahouse_commits{what="waiting_seconds"}')).toBe(0)
})

test('while the database is away, what the process itself measures is there', async () => {
  expect(valueOf(await read(), 'teahouse_database_up')).toBe(1)
  let isAway = false
  const readerNow = () => (isAway ? raise() : database.reader)
  const lost = await openApp({ config, database: Object.defineProperty({ ...database }, 'reader', { get: readerNow }), log })
  isAway = true
  const { body } = await lost.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  await lost.close()
  expect(valueOf(body, 'teahouse_database_up')).toBe(0)
  expect(valueOf(body, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(body).not.toContain('teahouse_books')
})

function raise(): never {
  throw Object.assign(new Error('The database is away'), { code: 'ECONNREFUSED' })
}

test('a replica is measured by its lag and whether it is read from, and not at all where there is none', async () => {
  expect(await read()).not.toMatch(/^teahouse_replica\{/m)
  const states: (ReplicaState | null)[] = [
    { state: 'behind', lagSeconds: 7.5 },
    { state: 'away', lagSeconds: null },
  ]
  const replicated = await openApp({ config, database: { ...database, replica: () => states[0] ?? null }, log })
  const its = async () => (await replicated.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body
  const behind = await its()
  expect(valueOf(behind, 'teahouse_replica{what="lag_seconds"}')).toBe(7.5)
  expect(valueOf(behind, 'teahouse_replica{what="used"}')).toBe(0)
  states.shift()
  expect(await its()).not.toContain('what="lag_seconds"')
  await replicated.close()
})

test('jobs are counted by how they ended, and one that fails is tried again alone', async () => {
  const job: Job<{ isCold: boolean }> = {
    name: 'brew',
    run: (_, { isCold }) => (isCold ? Promise.reject(new Error('The pot is cold')) : Promise.resolve()),
  }
  const working = await startJobs(ownerUrl, [job], { database, log, dataDir: '' })
  try {
    await transact(database, async (tx) => {
      await enqueue(tx, job, { isCold: false })
      await enqueue(tx, job, { isCold: true })
    })
    await expect.poll(read, { interval: 500 }).toMatch(/_count\{job="brew",outcome="failed"\} [2-9]/)
    expect(await read()).toContain('_count{job="brew",outcome="done"} 1')
    expect(await read()).toContain('teahouse_jobs{job="brew",state="running"}')
  } finally {
    await working.stop()
  }
})
