import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { readYourWritesCookie } from '#base/server/http/secret-cookies.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { startForums, type Forums } from '#base/testing/forums.ts'
import { until } from '#base/testing/waits.ts'
import { addComment, remarkSource, listComments } from '#comment/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

// Two servers on one database under constant load, as behind a proxy that retries a refused connection on the other one.
const forum = await aForum()
const folder = mkdtempSync(join(tmpdir(), 'teahouse-restarts-'))
const members = await Promise.all(Array.from({ length: 60 }, () => forum.member()))
const topicId = await aTopic(members[0] as Person, await aTag(forum.database))
const start = (port?: number) =>
  startForums({
    addresses: [addressesOf(forum.ownerUrl)],
    folder,
    listens: true,
    env: { DATABASE_URL: forum.ownerUrl, TEAHOUSE_DRAIN_SECONDS: '1', PORTS: JSON.stringify(port ? [port] : []) },
  })
const servers: Forums[] = await Promise.all([start(), start()])
const ports = servers.map((server) => server.ports[0] ?? 0)
afterAll(async () => {
  for (const server of servers) await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const agent = new Agent({ keepAlive: false })

type Answer = { status: number; text: string; wrote: string }
type Sent = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; text: string }

/** Null for a refused connection; `broken` for an incomplete answer. */
function send(port: number, { text, ...sent }: Sent): Promise<Answer | 'broken' | null> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, agent, ...sent }, (answer) => {
      const pieces: Buffer[] = []
      const wrote = new RegExp(`${readYourWritesCookie}=([^;]*)`).exec(String(answer.headers['set-cookie']))?.[1] ?? ''
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString(), wrote }))
      answer.on('error', () => resolve('broken'))
    })
    asking.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? null : 'broken'))
    asking.end(text)
  })
}

// A load balancer's health checks.
const isWell = [true, true]
const asking = setInterval(() => {
  for (const [n, port] of ports.entries())
    void send(port, { method: 'GET', path: '/health', headers: {}, text: '' }).then((answer) => {
      isWell[n] = answer !== null && answer !== 'broken' && answer.status === 200
    })
}, 100)
afterAll(() => clearInterval(asking))

function next(): number {
  const n = turn++ % 2
  return ports[isWell[n] ? n : 1 - n] ?? 0
}

let turn = 0
let keys = 0
let writers = 0
let broken = 0
const refusals: string[] = []
const written = new Set<string>()

/** Tries the servers in turn until one answers, with the same idempotency key. */
async function ask<E extends Endpoint>(who: Person, endpoint: E, input: RawInput<E>, wrote = ''): Promise<Answer> {
  const { method, path } = endpoint
  const its = who.headers(method)
  const headers = {
    ...its,
    ...(wrote && { cookie: `${its['cookie']}; ${readYourWritesCookie}=${wrote}` }),
    ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': `a-key-while-they-restart-${++keys}` }),
  }
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const sent: Sent = { method, path: `/api${path}${query}`, headers, text: method === 'GET' ? '' : JSON.stringify(input) }
  for (;;) {
    const answer = await send(next(), sent)
    if (answer === 'broken') broken++
    else if (answer) {
      if (answer.status !== 200) refusals.push(`${path} ${answer.status} ${answer.text}`)
      return answer
    }
    await setImmediate()
  }
}

/** Reads, writes, and reads the writes back, until the work is done. */
async function meanwhile(action: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const work = action().finally(() => over.abort())
  const visits = members.slice(0, 6).map(async (_, place) => {
    for (let n = 1; !over.signal.aborted; n++) {
      await setImmediate()
      const who = members[n % 4 === 0 ? writers++ % members.length : place] as Person
      await ask(who, thread, { topicId })
      await ask(who, listComments, { topicId, order: 'desc' })
      if (n % 4 !== 0) continue
      const text = `Said at ${n} of ${place} ${++keys}`
      const { status, text: answer, wrote } = await ask(who, addComment, { topicId, body: says(text) })
      if (status !== 200) continue
      written.add(text)
      const { commentId } = JSON.parse(answer) as { commentId: string }
      expect((await ask(who, remarkSource, { kind: 'comment', id: commentId }, wrote)).text).toContain(text)
    }
  })
  await Promise.all([work, ...visits])
}

function untilMoreIsWritten(): Promise<void> {
  const before = written.size
  return until(() => written.size > before + 5)
}

async function everythingStands(): Promise<void> {
  expect(refusals).toEqual([])
  const rows = await forum.database.app.selectFrom('comment').select('text').where('topic_id', '=', topicId).execute()
  const texts = rows.map(({ text }) => text)
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.toSorted()).toEqual([...written].sort())
}

test('a rolling restart fails no request, and written data is neither lost nor doubled', async () => {
  await meanwhile(async () => {
    for (const n of [0, 1]) {
      await untilMoreIsWritten()
      await servers[n]?.stop()
      await untilMoreIsWritten()
      servers[n] = await start(ports[n])
    }
  })
  expect(broken).toBe(0)
  await everythingStands()
})

test('a server killed with requests open loses no answered one, and a repeated request takes effect once', async () => {
  await meanwhile(async () => {
    for (const n of [0, 1]) {
      await untilMoreIsWritten()
      await servers[n]?.kill()
      await untilMoreIsWritten()
      servers[n] = await start(ports[n])
    }
  })
  await everythingStands()
})
