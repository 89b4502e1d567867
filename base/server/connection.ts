import { setTimeout as wait } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Reach } from '#base/server/away.ts'
import type { Tables } from '#database/tables.ts'

export type Db = Kysely<Tables>

// Enough for every statement of the program; those whose text has no end of variants stay unnamed.
const mostNames = 400
const longestText = 4_000
const patienceMs = 1_000

// Begins a statement that is the last of its transaction and whose rows nobody waits for: it leaves together with the commit.
const withCommit = '/* with the commit */'

type Ask = { text: string; values: unknown[]; name?: string }

/**
 * A pool whose connections plan each of the program's statements once, instead of at every call, and make no trip to the database for
 * a `begin` or a `commit` alone. Nobody waits for one while the database is known to be away.
 */
export function connections(pool: pg.Pool, reach: Reach): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const name = names.get(text)
    if (name || names.size >= mostNames || text.length > longestText) return name
    names.set(text, `s${names.size}`)
    return names.get(text)
  }

  function askOf(text: string, values: readonly unknown[]): Ask {
    const name = values.length > 0 ? nameOf(text) : undefined
    return { text, values: [...values], ...(name && { name }) }
  }

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

  // The pool counts those as gone that have only been told to go.
  async function endAll(): Promise<void> {
    await pool.end()
    await Promise.race([Promise.all(open), wait(patienceMs, undefined, { ref: false })])
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await reach.wait(
      () => pool.connect(),
      (late) => late.release(),
    )
    const connection = known.get(client) ?? connectionOf(client, askOf)
    known.set(client, connection)
    return connection
  }

  return { connect, end: endAll, options: pool.options }
}

function connectionOf(client: pg.PoolClient, askOf: (text: string, values: readonly unknown[]) => Ask): PostgresPoolClient {
  let held: Ask[] = []

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const ask = askOf(text, values)
    if (text === 'begin' || text.startsWith(withCommit)) {
      held.push(ask)
      return nothing('')
    }
    const before = held
    held = []
    const hasBegun = before[0]?.text !== 'begin'
    if (text === 'rollback') return hasBegun ? client.query(ask) : nothing('ROLLBACK')
    if (text === 'commit' && !hasBegun && before.length === 1) return nothing('COMMIT')
    return before.length === 0 ? client.query(ask) : together(client, [...before, ask])
  }

  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}

/** Sends them in one packet. What one of them is refused for is what all are refused for. */
async function together(client: pg.PoolClient, asks: readonly Ask[]): Promise<pg.QueryResult> {
  const stream = streamOf(client)
  stream.cork()
  const results = asks.map((ask) => client.query(ask))
  stream.uncork()
  const last = (await Promise.all(results)).at(-1)
  return last ?? nothing('')
}

function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

function nothing(command: string): pg.QueryResult {
  return { command, rowCount: 0, oid: 0, fields: [], rows: [] }
}
