import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { writeRows } from './requests.ts'
import { startForum } from './start-forum.ts'
import { bareInserts, resourceUse, type ResourceUse } from './resource-use.ts'
import { print, type Row } from './table.ts'
import { load } from './wrk.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 10_000)
const connections = 16
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-writes-'))
// Seeds in another process, so that it does not count as the forum's.
await (await startForum({ dataDir, comments, cacheBytes: null })).stop()
const { forum, state, stop } = await startForum({ dataDir, comments, cacheBytes: null })
const pool = new pg.Pool({ connectionString: forum.ownerUrl, max: connections })
try {
  console.log(`${comments} made-up comments, ${seconds} s for each row, ${connections} connections; ratios are to bare inserts`)
  const rows: Row[] = [await bareInserts(pool, { seconds, connections })]
  for (const [name, asks] of await writeRows(forum)) {
    await load(forum.url, asks, 1)
    await state()
    const before = await resourceUse(pool, forum)
    const figure = await load(forum.url, asks, seconds)
    const after = await resourceUse(pool, forum)
    const each = (what: keyof ResourceUse) => (after[what] - before[what]) / (figure.perSecond * seconds)
    rows.push({ name, figure, state: await state() })
    rows.push({ name: '  bytes of its log for each', note: Math.round(each('walBytes')) })
    rows.push({ name: '  µs of Node for each', note: Math.round(each('nodeMs') * 1_000) })
    rows.push({ name: '  µs of PostgreSQL for each', note: Math.round(each('postgresMs') * 1_000) })
  }
  print(rows)
} finally {
  await pool.end()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}
