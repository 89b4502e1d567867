import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { testKey } from '#base/testing/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { freePort } from '#base/testing/free-port.ts'
import { durableDatabase, startProgram, type RunningProgram } from '#base/testing/start-program.ts'
import { until } from '#base/testing/waits.ts'
import { addComment } from '#comment/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { findProgram } from '../../tools/find-program.ts'

// Three servers as operators start them, on one database behind HAProxy, which repeats no request that was sent.
const haproxy = await findProgram('haproxy')
const drainSeconds = 5
const own = await durableDatabase()
const ports = [await freePort(), await freePort(), await freePort()]
const [balancerPort, statisticsPort] = [await freePort(), await freePort()]
const start = (port: number) =>
  startProgram('main.ts', [], {
    PORT: String(port),
    DATABASE_URL: own.url,
    TEAHOUSE_DATA: join(own.folder, 'data'),
    TEAHOUSE_KEY: testKey,
    TEAHOUSE_PROCESSES: '1',
    TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    TEAHOUSE_DRAIN_SECONDS: String(drainSeconds),
  })
const servers: RunningProgram[] = []
for (const port of ports) {
  const server = start(port)
  servers.push(server)
  await server.says('Teahouse is ready')
}
const forum = await aForum({
  fresh: async () => {
    const database = openDatabase(addressesOf(own.url), { features, size: 4, onLost: () => undefined })
    return { database, ownerUrl: own.url, close: () => database.close() }
  },
})
const members = await Promise.all(Array.from({ length: 40 }, () => forum.member()))
const topicId = await aTopic(members[0] as Person, await aTag(forum.database))
let balancer: ChildProcess | null = null

afterAll(async () => {
  balancer?.kill('SIGKILL')
  for (const server of servers) await server.kill()
  await own.stop()
})

async function startBalancer(): Promise<void> {
  // A server without it has the older check alone.
  const live = await fetch(`http://localhost:${ports[0]}/health/live`, { redirect: 'manual' })
  const file = join(own.folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 10s
listen statistics
  bind 127.0.0.1:${statisticsPort}
  stats enable
  stats uri /
frontend forum
  bind 127.0.0.1:${balancerPort}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET ${live.status === 200 ? '/health/live' : '/health'}
  http-check expect status 200
  default-server check inter 500 fall 2 rise 2
${ports.map((port, n) => `  server forum${n} localhost:${port}`).join('\n')}
`,
  )
  balancer = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  await until(async () => (await send('GET', '/health')) === 200)
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/** The status; 0 for an answer that broke off. */
function send(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}, text = ''): Promise<number> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port: balancerPort, agent, method, path, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', () => resolve(0))
    })
    asking.once('error', () => resolve(0)).end(text)
  })
}

const failures: string[] = []
const counts = { reads: 0, writes: 0 }
const acknowledged = new Set<string>()
const load = { isOver: false }

/** Reads, and writes a comment after every hundredth read. */
async function use(person: number): Promise<void> {
  for (let n = 0; !load.isOver; n++) {
    const path = ['/index', '/api/topic/list', `/thread?topicId=${topicId}`, '/api/baseInfo'][n % 4] ?? ''
    const status = await send('GET', path, { 'x-forwarded-for': `198.18.${n % 250}.${person}` })
    counts.reads++
    if (status !== 200) failures.push(`GET ${path}: ${status}`)
    if (n % 100 === 0) await write(n / 100, person)
  }
}

async function write(n: number, person: number): Promise<void> {
  const member = members[(4 * n + person) % members.length] as Person
  const text = `Poured as number ${4 * n + person} of all`
  const headers = {
    ...member.headers('POST'),
    'content-type': 'application/json',
    'idempotency-key': `a-key-for-a-rolling-restart-${4 * n + person}`,
    'x-forwarded-for': `203.0.113.${(4 * n + person) % members.length}`,
  }
  const status = await send('POST', `/api${addComment.path}`, headers, JSON.stringify({ topicId, body: says(text) }))
  counts.writes++
  if (status === 200) acknowledged.add(text)
  // A fast machine reaches the limits of a member.
  else if (status !== 429) failures.push(`POST: ${status}`)
}

/** Whether the balancer sends requests to this server. */
async function isInUse(n: number): Promise<boolean> {
  const table = await (await fetch(`http://127.0.0.1:${statisticsPort}/;csv`)).text()
  return new RegExp(`^servers,forum${n},.*,UP,`, 'm').test(table)
}

test('three servers are restarted in turn under load, no request fails, and each acknowledged comment is there once', async () => {
  await startBalancer()
  const people = [0, 1, 2, 3].map(use)
  for (const [n, port] of ports.entries()) {
    const before = counts.reads
    await until(() => counts.reads > before + 100)
    expect(await servers[n]?.stop()).toBe(0)
    const next = start(port)
    servers[n] = next
    await next.says('Teahouse is ready')
    await until(() => isInUse(n))
  }
  load.isOver = true
  await Promise.all(people)
  expect(failures).toEqual([])
  expect(counts.reads).toBeGreaterThan(100)
  expect(counts.writes).toBeGreaterThan(10)
  const { rows } = await sql<{ text: string | null; times: number }>`
    select substring(body::text from 'Poured as number \\d+ of all') as text, count(*)::int as times
    from comment where topic_id = ${topicId} group by 1`.execute(forum.database.app)
  const found = new Map(rows.map(({ text, times }) => [text, times]))
  expect([...acknowledged].filter((text) => found.get(text) !== 1)).toEqual([])
  expect(found.size).toBe(acknowledged.size)
  console.log(`${counts.reads} reads and ${counts.writes} writes during three restarts, ${failures.length} failed`)
  const exited = balancer && once(balancer, 'exit')
  balancer?.kill('SIGKILL')
  await exited
})
