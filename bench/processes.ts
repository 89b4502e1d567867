import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#base/testing/free-port.ts'
import { startRedis } from '#base/testing/redis.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import type { BenchForumOptions } from './forum.ts'
import { coldRows, type RequestRows } from './requests.ts'
import { resourceUse } from './resource-use.ts'
import { startForum, type RunningForum } from './start-forum.ts'
import { load } from './wrk.ts'

// One forum on a database, two that share it and a Redis, and two with a replica as well: what they answer as far as the machine has cores,
// and what an answer costs, which tells how it would scale.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 20_000)
const parts = ['/thread, made anew', '/api/thread, from', '/api/comment/list, any', '/api/search, any', 'mine of a page', 'post a comment']
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-processes-'))
const replicated = await replicatedDatabase(dataDir)
const redis = await startRedis(await freePort())
const primary = new pg.Pool({ connectionString: replicated.ownerUrl, max: 1 })
const replica = new pg.Pool({ connectionString: replicated.replicaUrl, max: 1 })
const alone = { databaseUrl: replicated.ownerUrl }
const withRedis = { ...alone, redisUrl: redis.url }
try {
  await measured('one', 1, alone)
  await measured('two, Redis', 2, withRedis)
  await measured('two, Redis, replica', 2, { ...withRedis, replicaUrl: replicated.replicaUrl })
} finally {
  await Promise.all([primary.end(), replica.end()])
  await redis.stop()
  await replicated.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Starts so many forums, loads them together with each row, and prints what came of it. */
async function measured(name: string, count: number, shared: NonNullable<BenchForumOptions['shared']>): Promise<void> {
  const options = { dataDir, comments, cacheBytes: 600_000, shared }
  const running: RunningForum[] = []
  for (let n = 0; n < count; n += 1) running.push(await startForum(options))
  const rows: RequestRows[] = []
  for (const { forum } of running) rows.push(await coldRows(forum))
  console.log(`${name.padEnd(40)}     per s   p99 ms   failed   Node, ms for each   PostgreSQL   its replica`)
  for (const [n, [row]] of (rows[0] ?? []).entries()) {
    if (!parts.some((part) => row.includes(part))) continue
    await loadAll(n, 1)
    const before = await spent()
    const figures = await loadAll(n, seconds)
    const after = await spent()
    const perSecond = figures.reduce((sum, figure) => sum + figure.perSecond, 0)
    const failed = figures.reduce((sum, figure) => sum + figure.failed, 0)
    const costs = after.map((ms, part) => ((ms - (before[part] ?? 0)) / (perSecond * seconds)).toFixed(2).padStart(12))
    const p99 = Math.max(...figures.map((figure) => figure.p99)).toFixed(0)
    console.log(row.padEnd(40), String(Math.round(perSecond)).padStart(9), p99.padStart(8), String(failed).padStart(8), ...costs)
  }
  for (const { stop } of running) await stop()

  function loadAll(row: number, time: number) {
    return Promise.all(running.map(({ forum }, n) => load(forum.url, rows[n]?.[row]?.[1] ?? [], time, 16 / count)))
  }

  /** Processor time of the forums, the database and its replica, in ms. */
  async function spent(): Promise<number[]> {
    const forums = await Promise.all(running.map(({ forum }) => resourceUse(primary, forum)))
    const beside = await resourceUse(replica, { pid: 0 })
    return [forums.reduce((sum, { nodeMs }) => sum + nodeMs, 0), forums[0]?.postgresMs ?? 0, beside.postgresMs]
  }
}
