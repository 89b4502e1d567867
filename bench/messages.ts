import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { messageRow } from './requests.ts'
import { startForum } from './start-forum.ts'
import { bareInserts, resourceUse } from './resource-use.ts'
import { print, type Row } from './table.ts'
import { load } from './wrk.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
// The number of members depends on it: each may write forty a minute.
const comments = Number(process.env['BENCH_COMMENTS'] ?? 20_000)
const streams = Number(process.env['BENCH_STREAMS'] ?? 1_000)
const connections = 16
const hello = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Good morning' }] }] }
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-messages-'))
await (await startForum({ dataDir, comments, cacheBytes: null })).stop()
const { forum, state, stop } = await startForum({ dataDir, comments, cacheBytes: null })
const pool = new pg.Pool({ connectionString: forum.ownerUrl, max: connections })
try {
  console.log(`${seconds} s, ${connections} connections; ratios are to bare inserts`)
  await pool.query(`insert into message_setting (member_id, senders) select id, 'everybody' from member on conflict do nothing`)
  const rows: Row[] = [await bareInserts(pool, { seconds, connections })]
  const asks = await messageRow(forum)
  await load(forum.url, asks, 1)
  await state()
  const before = await resourceUse(pool, forum)
  const figure = await load(forum.url, asks, seconds)
  const after = await resourceUse(pool, forum)
  const sent = figure.perSecond * seconds
  rows.push({ name: 'a member: write to another', figure, state: await state() })
  rows.push({ name: '  bytes of its log for each', note: Math.round((after.walBytes - before.walBytes) / sent) })
  rows.push({ name: '  µs of Node for each', note: Math.round(((after.nodeMs - before.nodeMs) / sent) * 1_000) })
  rows.push({ name: '  µs of PostgreSQL for each', note: Math.round(((after.postgresMs - before.postgresMs) / sent) * 1_000) })
  print(rows)
  await arrive()
} finally {
  await pool.end()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** The delivery time of a message among so many open streams, at a hundred messages a second. */
async function arrive(): Promise<void> {
  const { url, members, pairs } = forum
  const [first] = await messageRow(forum)
  const waiting = new Map<string, number>()
  const took: number[] = []
  const open = Array.from({ length: streams }, (_, n) => {
    const at = n % pairs.length
    const headers = { authorization: `Bearer ${pairs[at]}` }
    const request = get(`${url}/api/user/control/inboxNews`, { headers, agent: false }, (response) => {
      response.on('data', () => {
        const since = waiting.get(members[at] ?? '')
        if (since === undefined) return
        waiting.delete(members[at] ?? '')
        took.push(performance.now() - since)
      })
    })
    request.on('error', () => undefined)
    return request
  })
  await setTimeout(5_000)
  for (let n = 0; n < 500; n++) {
    const [from, to] = [n % pairs.length, (n + 7) % pairs.length]
    const began = performance.now()
    const body = new URLSearchParams({ userId: members[to] ?? '', key: randomUUID(), body: JSON.stringify(hello) })
    const headers = { ...first?.headers, authorization: `Bearer ${pairs[from]}` }
    // The stream of the sender has events too, which do not count.
    waiting.set(members[to] ?? '', began)
    void fetch(`${url}/api/user/control/addPrivateMessage`, { method: 'POST', headers, body })
    await setTimeout(10)
  }
  await setTimeout(2_000)
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  console.log(`${sorted.length} of 500 were told among ${streams} streams: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  for (const request of open) request.destroy()
}
