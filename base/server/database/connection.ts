import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Availability } from '#base/server/database/availability.ts'
import { inOnePacket, PreparedStatements, streamOf } from '#base/server/database/prepared-statements.ts'
import type { Tables } from '#database/tables.ts'

export type Db = Kysely<Tables>

const patienceMs = 1_000

// Marks the last statement of a transaction whose rows nobody waits for: it is sent together with the commit.
const withCommit = '/* with the commit */'

type Ask = { text: string; values: readonly unknown[] }

/**
 * Wraps a pool: its connections prepare the program's statements and make no round trip for a `begin` or a `commit` alone. While the
 * database is known to be unavailable, no call waits for a connection.
 */
export function connections(pool: pg.Pool, reach: Availability): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const open = new Set<Promise<void>>()
  pool.on('connect', (client) => {
    const line = { cut: () => void streamOf(client).destroy() }
    reach.opened(line)
    const end = new Promise((done) => client.once('end', done)).then(() => {
      open.delete(end)
      reach.closed(line)
    })
    open.add(end)
  })

  // The pool counts a connection as closed as soon as it is told to close.
  async function endAll(): Promise<void> {
    await pool.end()
    await Promise.race([Promise.all(open), wait(patienceMs, undefined, { ref: false })])
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await reach.wait(
      () => pool.connect(),
      (late) => late.release(),
    )
    const connection = known.get(client) ?? connectionOf(client)
    known.set(client, connection)
    return connection
  }

  return { connect, end: endAll, options: pool.options }
}

function connectionOf(client: pg.PoolClient): PostgresPoolClient {
  const statements = new PreparedStatements(client)
  let held: Ask[] = []

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const ask = { text, values }
    if (text === 'begin' || text.startsWith(withCommit)) {
      held.push(ask)
      return nothing('')
    }
    const before = held
    held = []
    const hasBegun = before[0]?.text !== 'begin'
    if (text === 'rollback') return hasBegun ? together([ask]) : nothing('ROLLBACK')
    if (text === 'commit' && !hasBegun && before.length === 1) return nothing('COMMIT')
    return together([...before, ask])
  }

  /** Sends them in one packet. An error of one is the error of all. */
  async function together(asks: readonly Ask[]): Promise<pg.QueryResult> {
    const results = inOnePacket(client, () => asks.map(({ text, values }) => statements.query(text, values)))
    const last = (await Promise.all(results)).at(-1)
    return last ?? nothing('')
  }

  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}

function nothing(command: string): pg.QueryResult {
  return { command, rowCount: 0, oid: 0, fields: [], rows: [] }
}
