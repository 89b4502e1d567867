import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { writeRows } from './asks.ts'
import { startForum } from './running.ts'
import { print, type Row } from './table.ts'
import { load } from './wrk.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 10_000)
const connections = 16
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-writes-'))
// What filling took is not to be counted as the forum's, so another process fills it.
await (await startForum({ dataDir, comments, cacheBytes: null })).stop()
const { forum, state, stop } = await startForum({ dataDir, comments, cacheBytes: null })
const pool = new pg.Pool({ connectionString: forum.ownerUrl, max: connections })
try {
  console.log(`${comments} made-up comments, ${seconds} s for each row, ${connections} connections; ratios are to bare inserts`)
  const rows: Row[] = [await bareInserts()]
  for (const [name, asks] of await writeRows(forum)) {
    await load(forum.url, asks, 1)
    await state()
    const before = await spent()
    const figure = await load(forum.url, asks, seconds)
    const after = await spent()
    const each = (what: keyof Spent) => (after[what] - before[what]) / (figure.perSecond * seconds)
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

/** One row in a transaction of its own, kept for good before the next: what the machine can do at most. */
async function bareInserts(): Promise<Row> {
  await pool.query('create table bare (id bigint generated always as identity primary key, body jsonb not null)')
  const took: number[] = []
  const body = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'As long as a comment is, or so.' }] }] }
  const until = performance.now() + seconds * 1_000
  async function insert(): Promise<void> {
    while (performance.now() < until) {
      const began = performance.now()
      await pool.query({ name: 'bare', text: 'insert into bare (body) values ($1)', values: [body] })
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, insert))
  await setTimeout(500)
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { name: 'bare inserts', figure: { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99), failed: 0 } }
}

type Spent = { walBytes: number; nodeMs: number; postgresMs: number }

async function spent(): Promise<Spent> {
  const { rows } = await pool.query<{ bytes: string; postmaster: number }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes, pg_backend_pid() as postmaster`,
  )
  const parent = fieldsOf(rows[0]?.postmaster ?? 0).parent
  const backends = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(Number(name)).parent === parent)
  return {
    walBytes: Number(rows[0]?.bytes),
    nodeMs: fieldsOf(forum.pid).ms,
    postgresMs: backends.reduce((sum, pid) => sum + fieldsOf(Number(pid)).ms, 0),
  }
}

/** Who started a process, and how long it has worked. */
function fieldsOf(pid: number): { parent: number; ms: number } {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ').map(Number)
    return { parent: fields[1] ?? 0, ms: ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10 }
  } catch {
    return { parent: 0, ms: 0 }
  }
}
