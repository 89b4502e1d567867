import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type QueryCreator, type RawBuilder } from 'kysely'
import pg from 'pg'
import { connections } from '#base/server/connection.ts'
import { touchedBy, Touches } from '#base/server/touched.ts'
import type { Tables } from '#database/tables.ts'

export type Db = Kysely<Tables>

/** Where parts of one statement are written: a transaction, or a `with` clause. */
export type Parts = Pick<QueryCreator<Tables>, 'updateTable' | 'insertInto'>

export type Database = {
  /** Every write of the product goes through a transaction of this one. */
  app: Db
  /** Cannot write: its role has no right to, and its transactions are read-only. */
  reader: Db
  touches: Touches
  /** How busy the two are. */
  pools(): { name: 'app' | 'reader'; total: number; idle: number; waiting: number }[]
  close(): Promise<void>
}

type Options = {
  size?: number
  /** Hears of connections that break. */
  onLost: (error: Error) => void
  /** How long one statement may take. */
  longestMs?: { app: number; reader: number }
}

/** Opens the two pools. */
export function openDatabase(
  addresses: { app: string; reader: string },
  { size = 16, onLost, longestMs = { app: 15_000, reader: 5_000 } }: Options,
): Database {
  const opened = (which: 'app' | 'reader') => pool({ connectionString: addresses[which], max: size }, longestMs[which], onLost)
  const pools = { app: opened('app'), reader: opened('reader') }
  const [app, reader] = [kyselyOn(pools.app), kyselyOn(pools.reader)]
  const touches = new Touches(addresses.app)
  return {
    app,
    reader,
    touches,
    pools: () =>
      (['app', 'reader'] as const).map((name) => {
        const { totalCount: total, idleCount: idle, waitingCount: waiting } = pools[name]
        return { name, total, idle, waiting }
      }),
    async close() {
      await Promise.all([app.destroy(), reader.destroy(), touches.close()])
    },
  }
}

function pool(where: pg.PoolConfig, longestMs: number, onLost: (error: Error) => void): pg.Pool {
  const opened = new pg.Pool({
    ...where,
    connectionTimeoutMillis: 5_000,
    statement_timeout: longestMs,
    // A database that hangs, or a line that is dead, does not say so.
    query_timeout: longestMs + 1_000,
    keepAlive: true,
    pipeline: true,
  })
  // The pool hears of a connection only while it lies idle; one in use may break between two statements.
  opened.on('connect', (client) => client.on('error', onLost))
  opened.on('error', () => undefined)
  return opened
}

function kyselyOn(opened: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections(opened) }) })
}

// Nothing was done when these arrive.
const undone = new Set(['40001', '40P01', '53300', '55000', '57P03', 'ECONNREFUSED', 'ENOENT'])
// The connection broke, perhaps after the commit.
const broken = new Set(['57P01', '57P02', '57P04', '57P05', '08003', '08006', 'ECONNRESET', 'EPIPE'])
// Connections, resources and disks that fail, a standby that takes no writes yet, what took too long, and networks.
const passing = /^(08|53|58)|^(25006|57014)$|^E(HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN)$/
const patienceMs = [50, 200, 500]

/**
 * Runs `deed` in one transaction, tells the caches what it touched once it is committed, and runs the whole of it again when the database
 * asks for that (a deadlock) or could not be reached.
 * A connection that breaks on the way is tried again only when doing the deed twice is `harmless`. `deed` must do nothing but speak to the database.
 */
export async function transact<T>(database: Database, deed: (tx: Db) => Promise<T>, { harmless = false } = {}): Promise<T> {
  for (const wait of patienceMs) {
    try {
      return await attempt(database, deed)
    } catch (error) {
      const code = codeOf(error)
      if (!undone.has(code) && !(harmless && broken.has(code))) throw error
      await setTimeout(randomInt(wait / 2, wait * 2))
    }
  }
  return attempt(database, deed)
}

async function attempt<T>({ app, touches }: Database, deed: (tx: Db) => Promise<T>): Promise<T> {
  const { result, touched } = await app.transaction().execute(async (tx) => ({ result: await deed(tx), touched: touchedBy(tx) }))
  touches.announce(touched)
  return result
}

/** One of these ids, in a text that is the same however many they are: `.where('id', '=', anyOf(ids))`. */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql`any(${ids}::bigint[])`
}

/** True when the database is away or overloaded, and the same request may succeed in a while. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error)
  return (
    undone.has(code) ||
    broken.has(code) ||
    passing.test(code) ||
    (error instanceof Error &&
      /timeout exceeded when trying to connect|Query read timeout|Connection terminated|connection error and is not queryable/.test(
        error.message,
      ))
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** True when the error says that the row exists already, under the named constraint or any. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return !constraint || error.constraint === constraint
}
