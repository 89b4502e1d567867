import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { durableDatabase, startProgram, type RunningProgram } from '#base/testing/start-program.ts'

// A server without jobs and a process of jobs alone, as services beside each other.
const database = await durableDatabase()
const [serverPort, jobsPort] = [await freePort(), await freePort()]
const token = 'a-token-nobody-guesses'
const env = {
  DATABASE_URL: database.url,
  TEAHOUSE_DATA: join(database.folder, 'data'),
  TEAHOUSE_KEY: testKey,
  TEAHOUSE_PROCESSES: '1',
  TEAHOUSE_JOBS: '0',
  TEAHOUSE_METRICS_TOKEN: token,
}
mkdirSync(env.TEAHOUSE_DATA)
const programs: RunningProgram[] = []
const started = (file: string, words: readonly string[], more: Record<string, string>) => {
  const program = startProgram(file, words, { ...env, ...more })
  programs.push(program)
  return program
}
const owner = new pg.Client({ connectionString: database.url })
await owner.connect()

afterAll(async () => {
  for (const program of programs) await program.kill()
  await owner.end()
  await database.stop()
})

const finished = async () =>
  (await owner.query<{ count: number }>(`select count(*)::int from jobs.job where state = 'completed' and not starts_with(name, '__')`))
    .rows[0]?.count ?? 0
const waiting = async () =>
  (await owner.query<{ count: number }>(`select count(*)::int from jobs.job where state = 'created' and not starts_with(name, '__')`))
    .rows[0]?.count ?? 0
const metricsAt = async (port: number) =>
  (await fetch(`http://localhost:${port}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()

test('jobs wait while only a server without jobs runs, and a process for jobs alone runs them', async () => {
  const server = started('main.ts', [], { PORT: String(serverPort) })
  await server.says('Teahouse is ready')
  await owner.query(`insert into jobs.job (name, data) values ('account-forget', '{}')`)
  expect([await waiting(), await finished()]).toEqual([1, 0])
  expect(await metricsAt(serverPort)).toContain('teahouse_jobs_unattended_seconds +Inf')

  const jobs = started('teahouse.ts', ['jobs'], { PORT: String(jobsPort) })
  await jobs.says('Jobs are running')
  await expect.poll(finished).toBeGreaterThan(0)
  expect(await waiting()).toBe(0)
  await expect.poll(() => metricsAt(serverPort)).toMatch(/^teahouse_jobs_unattended_seconds [\d.]+$/m)
})

test('the process answers its health and its metrics, and nothing else of the forum', async () => {
  const at = (path: string) => fetch(`http://localhost:${jobsPort}${path}`, { redirect: 'manual' })
  expect(await (await at('/health')).json()).toMatchObject({ process: 'up', database: 'up' })
  expect((await at('/health?at=once')).status).toBe(200)
  expect((await at('/metrics')).status).toBe(401)
  expect(await metricsAt(jobsPort)).toContain('teahouse_job_seconds_count{job="account-forget",outcome="done"}')
  for (const path of ['/', '/index', '/api/baseInfo', '/admin', '/metrics/', '/nowhere'])
    expect([path, (await at(path)).status]).toEqual([path, 404])
})

test('told to stop, it finishes its jobs and ends, and so does the server', async () => {
  const [server, jobs] = programs
  expect(await jobs?.stop()).toBe(0)
  expect(jobs?.output()).toContain('The jobs were stopped')
  expect(await server?.stop()).toBe(0)
})

test('on the embedded database it is refused, because the server runs the jobs there', async () => {
  const { DATABASE_URL: _, TEAHOUSE_JOBS: __, ...own } = env
  const program = startProgram('teahouse.ts', ['jobs'], own)
  programs.push(program)
  await program.says('embedded PostgreSQL, whose server runs the jobs')
  await expect.poll(() => program.output()).not.toContain('at file:')
})
