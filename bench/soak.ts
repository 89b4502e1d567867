import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mixOf, oneOf, type Mix } from './mix.ts'
import { startForum } from './start-forum.ts'
import type { LoadRequest } from './wrk.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30)
const perSecond = Number(process.env['SOAK_RATE'] ?? 60)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 100_000)
const tabs = 100
const mostAtOnce = 64
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-soak-'))
const counts = { answered: 0, failed: 0, late: 0 }
let atOnce = 0
let sent = 0
try {
  // Seeds in another process, so that it does not count as the forum's memory.
  await (await startForum({ dataDir, comments, cacheBytes: null })).stop()
  await soak()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/**
 * Loads a full forum with a mix of everything at a steady pace, with event streams that are dropped each minute, and prints its memory:
 * steady growth is a leak.
 */
async function soak(): Promise<void> {
  const { forum, state, stop } = await startForum({ dataDir, comments, cacheBytes: null })
  const mix = await mixOf(forum)
  console.log(`${comments} made-up comments, ${perSecond} requests a second, ${tabs} tabs that listen, ${minutes} minutes`)
  console.log('minute  answered  failed  late  loop p99 ms  MB')
  for (let minute = 0; minute <= minutes; minute += 1) {
    const { megabytes, loopDelayMs } = await state()
    const figures = [minute, counts.answered, counts.failed, counts.late, Math.round(loopDelayMs), Math.round(megabytes)]
    console.log(figures.join('\t'))
    if (minute < minutes) await aMinute(forum.url, mix, forum.topics)
  }
  await stop()
}

async function aMinute(url: string, mix: Mix, topics: readonly string[]): Promise<void> {
  const dropped = new AbortController()
  for (const topicId of topics.slice(0, tabs)) listen(`${url}/api/comment/news?topicId=${topicId}`, dropped.signal)
  const until = performance.now() + 60_000
  for (let next = performance.now(); next < until; next += 1_000 / perSecond) {
    await setTimeout(Math.max(0, next - performance.now()))
    const ask = oneOf(mix)
    if (atOnce >= mostAtOnce) counts.late += 1
    else void send(url, ask)
  }
  dropped.abort()
}

async function send(url: string, { path, headers, body }: LoadRequest): Promise<void> {
  atOnce += 1
  sent += 1
  const write = body !== undefined && {
    method: 'POST',
    body: body.replace('NUMBER', String(sent)),
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  }
  try {
    const answer = await fetch(url + path, { headers: headers ?? {}, ...write })
    await answer.arrayBuffer()
    counts[answer.ok ? 'answered' : 'failed'] += 1
  } catch {
    counts.failed += 1
  }
  atOnce -= 1
}

// A closed tab aborts its stream on purpose.
function listen(address: string, signal: AbortSignal): void {
  fetch(address, { signal }).then(
    (answer) => answer.text().catch(() => undefined),
    () => undefined,
  )
}
