import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type QueryCreator, type RawBuilder } from 'kysely'
import pg from 'pg'
import { isUndone, Reach } from '#base/server/away.ts'
import { connections, type Db } from '#base/server/connection.ts'
import { invalidatedBy, Invalidations } from '#base/server/invalidation.ts'
import { ReplicaWatch } from '#base/server/replica-watch.ts'
import type { Tables } from '#database/tables.ts'

export { isAway } from '#base/server/away.ts'

export type { Db }

/** Where parts of one statement are written: a transaction, or a `with` clause. */
export type Parts = Pick<QueryCreator<Tables>, 'updateTable' | 'insertInto'>

export type Database = {
  /** Every write of the product goes through a transaction of this one. */
  app: Db
  /** Cannot write: its role has no right to, and its transactions are read-only. A replica, where there is one and while it answers. */
  readonly reader: Db
  /** The same where what is read is kept: it asks the primary, which is never behind. */
  primaryReader: Db
  invalidations: Invalidations
  /** Whether the replica answers; null where there is none. */
  replicaAnswers(): boolean | null
  /** How busy the two are. */
  pools(): { name: 'app' | 'reader'; total: number; idle: number; waiting: number }[]
  close(): Promise<void>
}

type Options = {
  size?: number
  /** After so long a connection that nobody uses is closed. One that is made anew plans everything anew. */
  idleMs?: number
  /** How many stay all the same. */
  least?: number
  /** Hears of connections that break. */
  onLost: (error: Error) => void
  /** How long one statement may take. */
  longestMs?: { app: number; reader: number }
}

type Addresses = { app: string; reader: string; /** Where it is another than the reader's. */ primaryReader?: string }

/** Opens the pools: two, and one more where there is a replica. */
export function openDatabase(
  { app, reader, primaryReader = reader }: Addresses,
  { size = 16, least = 2, idleMs = 10 * 60_000, onLost, longestMs = { app: 15_000, reader: 5_000 } }: Options,
): Database {
  const reach = new Reach()
  const opened = (address: string, longest: number) => {
    const its = pool({ connectionString: address, min: least, max: size, idleTimeoutMillis: idleMs }, longest, onLost)
    return { pool: its, db: kyselyOn(its, reach) }
  }
  const pools = { app: opened(app, longestMs.app), reader: opened(reader, longestMs.reader) }
  const primary = primaryReader === reader ? pools.reader : opened(primaryReader, longestMs.reader)
  primaries.set(pools.reader.db, primary.db)
  const invalidations = new Invalidations(app, reach)
  const watch = primary === pools.reader ? null : new ReplicaWatch(pools.reader.db)
  return {
    app: pools.app.db,
    get reader() {
      return watch?.answers === false ? primary.db : pools.reader.db
    },
    primaryReader: primary.db,
    invalidations,
    replicaAnswers: () => watch?.answers ?? null,
    pools: () =>
      (['app', 'reader'] as const).map((name) => {
        const { totalCount: total, idleCount: idle, waitingCount: waiting } = pools[name].pool
        return { name, total, idle, waiting }
      }),
    async close() {
      watch?.stop()
      const all = new Set([pools.app.db, pools.reader.db, primary.db])
      await Promise.all([...[...all].map((db) => db.destroy()), invalidations.close()])
    },
  }
}

const primaries = new WeakMap<Db, Db>()

/** Where to read what is kept: a replica may be behind, and would be believed for as long. */
export function primaryOf(db: Db): Db {
  return primaries.get(db) ?? db
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

function kyselyOn(opened: pg.Pool, reach: Reach): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections(opened, reach) }) })
}

const patienceMs = [50, 200, 500]

/**
 * Runs `deed` in one transaction, tells the caches what it invalidated once it is committed, and runs the whole of it again when the database
 * asks for that (a deadlock) or could not be reached.
 * A connection that breaks on the way is tried again only when doing the deed twice is `harmless`. `deed` must do nothing but speak to the database.
 */
export async function transact<T>(database: Database, deed: (tx: Db) => Promise<T>, { harmless = false } = {}): Promise<T> {
  for (const wait of patienceMs) {
    try {
      return await attempt(database, deed)
    } catch (error) {
      if (!isUndone(error, { harmless })) throw error
      await setTimeout(randomInt(wait / 2, wait * 2))
    }
  }
  return attempt(database, deed)
}

async function attempt<T>({ app, invalidations }: Database, deed: (tx: Db) => Promise<T>): Promise<T> {
  const { result, invalidated } = await app.transaction().execute(async (tx) => {
    const result = await deed(tx)
    await invalidations.record(tx)
    return { result, invalidated: invalidatedBy(tx) }
  })
  invalidations.announce(invalidated)
  return result
}

/** One of these ids, in a text that is the same however many they are: `.where('id', '=', anyOf(ids))`. */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql`any(${ids}::bigint[])`
}

/** True when the error says that the row exists already, under the named constraint or any. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return !constraint || error.constraint === constraint
}
