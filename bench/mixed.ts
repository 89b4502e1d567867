import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mixOf, oneOf } from './mix.ts'
import { startForum } from './start-forum.ts'
import { print } from './table.ts'
import { load } from './wrk.ts'

// Everything at once, as fast as it is answered, among open event streams; and the memory of the forum before and after (PSS, in MB).
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 20_000)
const streams = Number(process.env['BENCH_STREAMS'] ?? 1_000)
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-mixed-'))
try {
  // Seeds in another process, so that it does not count as the forum's memory.
  await (await startForum({ dataDir, comments, cacheBytes: null })).stop()
  const { forum, state, stop } = await startForum({ dataDir, comments, cacheBytes: null })
  await setTimeout(5_000)
  const idle = pssOf(forum.pid)
  const mix = await mixOf(forum)
  const asks = Array.from({ length: 10_000 }, () => oneOf(mix))
  const open = Array.from({ length: streams }, (_, n) => listen(`${forum.url}/api/comment/news?topicId=${forum.topics[n % 300]}`))
  await setTimeout(2_000)
  await load(forum.url, asks, 3)
  await state()
  const figure = await load(forum.url, asks, seconds)
  print([
    { name: `mixed, ${streams} streams`, figure, state: await state() },
    { name: 'memory idle, MB', note: idle },
    { name: 'memory after all of this, MB', note: pssOf(forum.pid) },
  ])
  for (const request of open) request.destroy()
  await stop()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

function listen(address: string) {
  const request = get(address, { agent: false }, (response) => void response.resume())
  return request.on('error', () => undefined)
}

/** The memory of a process, with its part of what it shares. */
function pssOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}
