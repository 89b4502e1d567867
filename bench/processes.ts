import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { coldRows } from './requests.ts'
import { startForum } from './start-forum.ts'
import { resourceUse } from './resource-use.ts'
import { load, type LoadRequest } from './wrk.ts'

// Two processes on one database compared with one, as far as the machine has cores: the cost of each answer tells how it would scale.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 20_000)
const parts = ['/thread, made anew', '/api/thread, from', '/api/comment/list, any', '/api/search']
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-processes-'))
const order = { dataDir, comments, cacheBytes: 600_000 }
try {
  const one = await startForum(order)
  const two = await startForum({ ...order, databaseUrl: one.forum.ownerUrl })
  const pool = new pg.Pool({ connectionString: one.forum.ownerUrl, max: 1 })
  const forums = [one.forum, two.forum]
  console.log(`${''.padEnd(40)} one, per s   two, per s   ratio   Node and PostgreSQL, ms for each: one; two`)
  for (const [name, asks] of await coldRows(one.forum)) {
    if (!parts.some((part) => name.startsWith(part))) continue
    const [alone, both] = [await measured(asks, 1), await measured(asks, 2)]
    const cost = [alone, both].map(({ nodeMs, postgresMs }) => `${nodeMs.toFixed(2)} ${postgresMs.toFixed(2)}`).join('; ')
    const cells = [alone, both].map(({ perSecond }) => String(Math.round(perSecond)).padStart(10))
    console.log(name.padEnd(40), ...cells, (both.perSecond / alone.perSecond).toFixed(2).padStart(8), '  ', cost)
  }
  await pool.end()
  await two.stop()
  await one.stop()

  async function measured(asks: readonly LoadRequest[], count: number) {
    const some = forums.slice(0, count)
    const each = 16 / count
    await Promise.all(some.map(({ url }) => load(url, asks, 1, each)))
    const before = await spentBy()
    const figures = await Promise.all(some.map(({ url }) => load(url, asks, seconds, each)))
    const after = await spentBy()
    const perSecond = figures.reduce((sum, figure) => sum + figure.perSecond, 0)
    const answers = perSecond * seconds
    return { perSecond, nodeMs: (after.nodeMs - before.nodeMs) / answers, postgresMs: (after.postgresMs - before.postgresMs) / answers }
  }

  async function spentBy() {
    const all = await Promise.all(forums.map((forum) => resourceUse(pool, forum)))
    return { nodeMs: all.reduce((sum, { nodeMs }) => sum + nodeMs, 0), postgresMs: all[0]?.postgresMs ?? 0 }
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
