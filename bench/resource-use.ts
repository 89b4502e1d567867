import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { ReadyForum } from './forum.ts'
import { figureOf, type Row } from './table.ts'

/** One durable row per transaction: the machine's maximum. */
export async function bareInserts(pool: pg.Pool, { seconds, connections }: { seconds: number; connections: number }): Promise<Row> {
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
  return { name: 'bare inserts', figure: figureOf(took, seconds) }
}

export type ResourceUse = { walBytes: number; nodeMs: number; postgresMs: number }

/** The resources used by a forum and its database since their start. */
export async function resourceUse(pool: pg.Pool, forum: Pick<ReadyForum, 'pid'>): Promise<ResourceUse> {
  const { rows } = await pool.query<{ bytes: string; backend: number }>(
    `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end) - '0/0' as bytes,
       pg_backend_pid() as backend`,
  )
  const { parent } = fieldsOf(rows[0]?.backend ?? 0)
  const backends = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(Number(name)).parent === parent)
  return {
    walBytes: Number(rows[0]?.bytes),
    nodeMs: fieldsOf(forum.pid).ms,
    postgresMs: backends.reduce((sum, pid) => sum + fieldsOf(Number(pid)).ms, 0),
  }
}

/** The parent of a process, and its CPU time. */
function fieldsOf(pid: number): { parent: number; ms: number } {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ').map(Number)
    return { parent: fields[1] ?? 0, ms: ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10 }
  } catch {
    return { parent: 0, ms: 0 }
  }
}
