import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import * as token from '#account/server/token.ts'
import { readConfig } from '#base/server/config.ts'
import { readYourWritesCookie } from '#base/server/http/secret-cookies.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { counterMismatches } from '#base/testing/counters.ts'
import { freePort } from '#base/testing/free-port.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { startRedis } from '#base/testing/redis.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { xsrfOf } from './requests.ts'

// Two servers as an operator starts them, on one database with a replica and a Redis. Members read and write at both in turns, as behind a
// load balancer, while one of the two is killed again and again. Reports a page that lacks an earlier write of its reader, a failed answer,
// and an accepted comment that is missing or duplicated.
const minutes = Number(process.env['KILLS_MINUTES'] ?? 30)
const readers = 12
// The folder of another version of the program, for the second server.
const beside = process.env['KILLS_BESIDE'] ?? '.'
const folder = mkdtempSync(join(tmpdir(), 'teahouse-kills-'))
const replicated = await replicatedDatabase(folder)
const redis = await startRedis(await freePort())
const env = {
  DATABASE_URL: replicated.ownerUrl,
  DATABASE_REPLICA_URL: replicated.replicaUrl,
  REDIS_URL: redis.url,
  TEAHOUSE_KEY: randomBytes(32).toString('hex'),
  TEAHOUSE_DATA: folder,
  TEAHOUSE_PROCESSES: '1',
  TEAHOUSE_URL: 'http://tea.example.org',
  TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  NODE_ENV: 'production',
}
const client: ClientInfo = {
  origin: '',
  ip: '127.0.0.1',
  isLocal: false,
  language: 'en',
  userAgent: 'bench',
  authorization: undefined,
  csrf: '',
}
const database = openDatabase(addressesOf(replicated.ownerUrl), { features, size: 4, onLost: () => undefined })
const ports = [await freePort(), await freePort()]
const servers: ChildProcess[] = []
const startedAt: number[] = []
const until = performance.now() + minutes * 60_000

const counts = {
  read: 0,
  written: 0,
  again: 0,
  limited: 0,
  kills: 0,
  lags: 0,
  withoutRedis: 0,
  /** Pages of a busy server, whose content the browser asks for. */ unfilled: 0,
}
const wrong: string[] = []
const accepted = new Map<string, string>()

const config = readConfig(env)
await loadSealingKey({ config, db: database.app, log: pino({ level: 'error' }) })
await seedNewForum(database, config)
await addFirstStaff(database)
await transact(database, (tx) => applySettings(tx, lenientSettings))
const topics = await database.app
  .selectFrom('topic')
  .innerJoin('tag', 'tag.id', 'tag_id')
  .select('topic.id')
  .where('topic.status', '=', 'published')
  .where('kind', '=', 'topic')
  .where('takes_comments', '=', true)
  .where('is_restricted', '=', false)
  .limit(8)
  .execute()
const members = await database.app.selectFrom('member').select('id').where('deactivated_at', 'is', null).limit(readers).execute()
for (const n of [0, 1]) await start(n)
const xsrf = { ...(await xsrfOf(`http://127.0.0.1:${ports[0]}`)), origin: env.TEAHOUSE_URL }
const people = Promise.all(members.map(({ id }, n) => use(id, n)))
await disturb()
await people
await checkResult()
console.log(JSON.stringify({ minutes, ...counts, wrong: wrong.length }))
for (const one of wrong.slice(0, 20)) console.log(one)
for (const server of servers) server.kill('SIGKILL')
await database.close()
await redis.stop()
await replicated.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(wrong.length > 0 ? 1 : 0)

async function start(n: number): Promise<void> {
  const port = String(ports[n])
  const server = spawn(process.execPath, ['apps/server/main.ts'], {
    cwd: n === 1 ? beside : '.',
    env: { ...process.env, ...env, PORT: port },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  servers[n] = server
  while (server.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)
    if (answer?.ok) return void (startedAt[n] = performance.now())
    await setTimeout(100)
  }
  throw new Error('A server did not start')
}

/** Kills one of them from time to time and restarts it; or delays the replica by ten seconds, or stops Redis for as long. */
async function disturb(): Promise<void> {
  while (performance.now() < until) {
    await setTimeout(randomInt(8_000, 20_000))
    const what = randomInt(6)
    if (what === 4) {
      counts.lags++
      await replicated.pause()
      await setTimeout(10_000)
      await replicated.resume()
    } else if (what === 5) {
      counts.withoutRedis++
      await redis.stop()
      await setTimeout(10_000)
      await redis.start()
    } else await killAndRestart(what % 2)
  }
}

async function killAndRestart(n: number): Promise<void> {
  const server = servers[n]
  server?.kill('SIGKILL')
  if (server) await once(server, 'exit')
  counts.kills++
  await setTimeout(randomInt(500, 3_000))
  await start(n)
}

type Person = { headers: Record<string, string>; wrote: string; turn: number }
type Answer = { status: number; text: string; isUnfilled: boolean; /** The server and how long it has run. */ from: string; ms: number }
type SentRequest = { path: string; body?: URLSearchParams; key?: string }

async function use(id: string, n: number): Promise<void> {
  const its = { ...client, ip: `10.0.0.${n}` }
  const pair = await transact(database, (tx) => token.createSession(tx, id, its))
  let renewed = performance.now()
  const who: Person = { wrote: '', turn: n, headers: {} }
  const speak = ({ accessToken, refreshToken }: typeof pair) => {
    who.headers = { ...xsrf, authorization: `Bearer ${accessToken},${refreshToken}`, 'x-forwarded-for': its.ip }
  }
  speak(pair)
  for (let round = 0; performance.now() < until; round++) {
    if (performance.now() - renewed > 8 * 60_000) {
      speak(JSON.parse((await ask(who, { path: '/api/refreshToken', body: new URLSearchParams() })).text))
      renewed = performance.now()
    }
    await turnOf(who, topics[randomInt(topics.length)]?.id ?? '', `${n} in round ${round}`)
  }
}

/** Writes a comment, and reads it back by a call, on a page and in the personal call. */
async function turnOf(who: Person, topicId: string, called: string): Promise<void> {
  const text = `Comment ${called}`
  const document = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
  const body = new URLSearchParams({ topicId, body: JSON.stringify(document) })
  const added = await ask(who, { path: '/api/comment/add', body, key: randomBytes(12).toString('hex') })
  // The limit is twenty a minute.
  if (added.status !== 200) return setTimeout(2_000)
  const { commentId } = JSON.parse(added.text) as { commentId: string }
  accepted.set(commentId, text)
  counts.written++
  const last = await ask(who, { path: `/api/comment/list?topicId=${topicId}&commentId=${commentId}` })
  if (!last.text.includes(text)) wrong.push(`A list lacks what was written: ${text} (${last.from}, after ${last.ms} ms)`)
  const page = await ask(who, { path: `/thread?topicId=${topicId}&commentId=${commentId}` })
  if (page.isUnfilled) counts.unfilled++
  else if (!page.text.includes(text)) wrong.push(`A page lacks what was written: ${text} (${page.from}, after ${page.ms} ms)`)
  for (const path of ['/index', `/api/comment/mine?topicId=${topicId}`, `/api/thread?topicId=${topicId}`, '/api/search?keyword=tea'])
    await ask(who, { path })
  // The pace of people who click without reading.
  await setTimeout(randomInt(200, 1_200))
}

/** Requests one of the two servers, and the other if that one is down. */
async function ask(who: Person, { path, body, key }: SentRequest): Promise<Answer> {
  for (;;) {
    const [n, asked] = [who.turn++ % 2, performance.now()]
    const url = `http://127.0.0.1:${ports[n]}${path}`
    const cookie = [who.headers['cookie'], who.wrote && `${readYourWritesCookie}=${who.wrote}`].filter(Boolean).join('; ')
    const headers = { ...who.headers, cookie, ...(key && { 'idempotency-key': key }) }
    const answer = await fetch(url, { method: body ? 'POST' : 'GET', headers, ...(body && { body }), redirect: 'manual' }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer && typeof text === 'string') {
      const mark = new RegExp(`${readYourWritesCookie}=([^;]*)`).exec(answer.headers.getSetCookie().join('\n'))?.[1]
      who.wrote = mark ?? who.wrote
      counts.read += body ? 0 : 1
      if (answer.status === 429) counts.limited++
      else if (answer.status !== 200) wrong.push(`${path} answered ${answer.status}: ${text.slice(0, 200)}`)
      const from = `server ${n}, up for ${Math.round((performance.now() - (startedAt[n] ?? 0)) / 1_000)} s`
      const isUnfilled = answer.headers.get('cache-control') === 'no-store'
      return { status: answer.status, text, isUnfilled, from, ms: Math.round(performance.now() - asked) }
    }
    counts.again++
    await setTimeout(20)
  }
}

/** Checks that accepted comments exist once, counters are right, and the books are right. */
async function checkResult(): Promise<void> {
  const rows = await database.app.selectFrom('comment').select(['id', 'text']).where('text', 'like', 'Comment %').execute()
  const found = new Map(rows.map(({ id, text }) => [id, text]))
  for (const [id, text] of accepted) if (found.get(id) !== text) wrong.push(`Taken and not there: ${text}`)
  if (new Set(found.values()).size !== rows.length) wrong.push('There is a comment twice')
  for (const { place, id } of await counterMismatches(database.app)) wrong.push(`Counted wrongly: ${place} ${id}`)
  for (const breach of await wallet.breachesIn(database, wallet.ledgerChecks, null)) wrong.push(JSON.stringify(breach))
  pino({ level: 'info' }).info({ rows: rows.length, taken: accepted.size }, 'Comments')
}
