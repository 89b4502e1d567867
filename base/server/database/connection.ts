import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { waitLimitMs } from '#base/server/call-deadline.ts'
import { isReadOnly, type Availability } from '#base/server/database/availability.ts'
import { currentTracer, type SpanDescription } from '#base/server/tracing/trace.ts'
import { inOnePacket, PreparedStatements, streamOf } from '#base/server/database/prepared-statements.ts'
import type { Tables } from '#database/tables.ts'

export type Db = Kysely<Tables>

const closeTimeoutMs = 1_000
const maxTracedText = 4_000

// Marks the last statement of a transaction whose rows nobody waits for: it is sent together with the commit.
const withCommit = '/* with the commit */'

type Query = { text: string; values: readonly unknown[] }

type PoolOptions = {
  availability: Availability
  /** How long work without a call waits for a connection. */
  longestWaitMs: number
  /** False behind a pooler that loses prepared statements. */
  prepares: boolean
  /** For a pool that writes: hears that a session cannot, for its server has become a standby. */
  onReadOnly: (() => void) | null
}

/** A pool whose open connections can be replaced by new ones, each once it is free. */
export type RenewablePool = PostgresPool & { renew(): void }

/**
 * Wraps a pool: its connections prepare the program's statements and make no round trip for a `begin` or a `commit` alone. While the
 * database is known to be unavailable, no call waits for a connection; otherwise a call waits until its deadline.
 */
export function postgresPool(pool: pg.Pool, { availability, longestWaitMs, prepares, onReadOnly }: PoolOptions): RenewablePool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  let current = new WeakSet<pg.PoolClient>()
  const open = new Set<Promise<void>>()
  pool.on('connect', (client) => {
    const connection = { destroy: () => void streamOf(client).destroy() }
    availability.register(connection)
    current.add(client)
    const end = new Promise((done) => client.once('end', done)).then(() => {
      open.delete(end)
      availability.unregister(connection)
    })
    open.add(end)
  })

  // The pool counts a connection as closed as soon as it is told to close.
  async function endAll(): Promise<void> {
    await pool.end()
    await Promise.race([Promise.all(open), wait(closeTimeoutMs, undefined, { ref: false })])
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await availability.wait(() => pool.connect(), {
      limitMs: waitLimitMs(longestWaitMs),
      late: (late) => late.release(),
    })
    if (!current.has(client)) {
      client.release(true)
      return connect()
    }
    const connection =
      wrapped.get(client) ?? connectionOf(client, { prepares, isCurrent: () => current.has(client), onReadOnly: onReadOnly && retire })
    wrapped.set(client, connection)
    return connection
  }

  function renew(): void {
    current = new WeakSet()
  }

  // The other sessions are as old, or older.
  function retire(): void {
    renew()
    onReadOnly?.()
  }

  return { connect, end: endAll, options: pool.options, renew }
}

type ConnectionOptions = { prepares: boolean; isCurrent: () => boolean; onReadOnly: (() => void) | null }

function connectionOf(client: pg.PoolClient, { prepares, isCurrent, onReadOnly }: ConnectionOptions): PostgresPoolClient {
  const statements = new PreparedStatements(client, prepares ? undefined : 0)
  let deferred: Query[] = []

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const statement = { text, values }
    if (text === 'begin' || text.startsWith(withCommit)) {
      deferred.push(statement)
      return emptyResult('')
    }
    const before = deferred
    deferred = []
    const hasBegun = before[0]?.text !== 'begin'
    if (text === 'rollback') return hasBegun ? sendTogether([statement]) : emptyResult('ROLLBACK')
    if (text === 'commit' && !hasBegun && before.length === 1) return emptyResult('COMMIT')
    return sendTogether([...before, statement])
  }

  /** Sends them in one packet. An error of one is the error of all. */
  async function sendTogether(queries: readonly Query[]): Promise<pg.QueryResult> {
    const tracer = currentTracer()
    if (tracer === null) return sendNow(queries)
    for (const _ of queries) tracer.count('db.statements')
    return tracer.part(spanOf(queries), () => sendNow(queries))
  }

  async function sendNow(queries: readonly Query[]): Promise<pg.QueryResult> {
    const results = inOnePacket(client, () => queries.map(({ text, values }) => statements.query(text, values)))
    try {
      const last = (await Promise.all(results)).at(-1)
      return last ?? emptyResult('')
    } catch (error) {
      if (isReadOnly(error)) onReadOnly?.()
      throw error
    }
  }

  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy || !isCurrent()) }
}

// Values are never part of a text: they travel beside it.
function spanOf(queries: readonly Query[]): SpanDescription {
  const text = queries.map((query) => query.text).join(';\n')
  const name = queries.at(-1)?.text.trimStart().split(/\s/, 1)[0] ?? ''
  return {
    name: name.toLowerCase(),
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, maxTracedText),
      'db.operation.batch.size': queries.length,
    },
  }
}

function emptyResult(command: string): pg.QueryResult {
  return { command, rowCount: 0, oid: 0, fields: [], rows: [] }
}
