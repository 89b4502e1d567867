import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Insertable, type QueryCreator, type RawBuilder } from 'kysely'
import pg from 'pg'
import { isRetryable, Availability } from '#base/server/database/availability.ts'
import { connections, type Db } from '#base/server/database/connection.ts'
import { invalidatedBy, Invalidations } from '#base/server/cache/invalidation.ts'
import { attachProgram, type Program } from '#base/server/program.ts'
import { ReplicaWatch } from '#base/server/database/replica-watch.ts'
import { limitStatements } from '#base/server/database/statement-limit.ts'
import type { Tables } from '#database/tables.ts'

export { isUnavailable } from '#base/server/database/availability.ts'

export type { Db }

/** Where parts of one statement are written: a transaction, or a `with` clause. */
export type DatabasePools = Pick<QueryCreator<Tables>, 'updateTable' | 'insertInto'>

export type Database = {
  /** Every write of the product goes through a transaction of this one. */
  app: Db
  /** Cannot write: its role has no right to, and its transactions are read-only. A replica, where there is one and while it answers. */
  readonly reader: Db
  /** The same where what is read is kept: it asks the primary, which is never behind. */
  primaryReader: Db
  invalidations: Invalidations
  /** The same for work that grows with what the forum holds, such as jobs and filling it: no statement is ended for taking long. */
  longRunning: Database
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
  /** The features of the program; without them, transactions must cause no moment that features take part in. */
  features?: Program['features']
  /** Hears of connections that break. */
  onLost: (error: Error) => void
  /** How long one statement may take, but for what is long-running. */
  longestMs?: { app: number; reader: number }
}

type Addresses = { app: string; reader: string; /** Where it is another than the reader's. */ primaryReader?: string }

type Sizes = Pick<pg.PoolConfig, 'min' | 'max' | 'idleTimeoutMillis'>
type Limits = { app: number | null; reader: number | null }

// Jobs and the like are few at a time, and leave no connection open behind them.
const sizesForLong: Sizes = { min: 0, max: 10, idleTimeoutMillis: 10_000 }
const longestWaitMs = 15_000

/** Opens the pools: two, one more where there is a replica, and the same without a limit for what takes long. */
export function openDatabase(
  addresses: Addresses,
  { size = 16, least = 2, idleMs = 10 * 60_000, features = [], onLost, longestMs = { app: 15_000, reader: 5_000 } }: Options,
): Database {
  const reach = new Availability()
  const usual = openPools(addresses, longestMs, { min: least, max: size, idleTimeoutMillis: idleMs }, { reach, onLost })
  const long = openPools(addresses, { app: null, reader: null }, sizesForLong, { reach, onLost })
  const invalidations = new Invalidations(addresses.app, reach)
  const watch = usual.primary === usual.reader ? null : new ReplicaWatch(usual.reader.db)
  const all = new Set([usual, long].flatMap((pools) => [pools.app.db, pools.reader.db, pools.primary.db]))
  const program = { features, invalidations }
  for (const db of all) attachProgram(db, program)

  function databaseOn({ app, reader, primary }: Pools): Omit<Database, 'longRunning'> {
    return {
      app: app.db,
      get reader() {
        return watch?.answers === false ? primary.db : reader.db
      },
      primaryReader: primary.db,
      invalidations,
      replicaAnswers: () => watch?.answers ?? null,
      pools: () => (['app', 'reader'] as const).map((name) => ({ name, ...howBusy(usual[name].pool) })),
      async close() {
        watch?.stop()
        await Promise.all([...[...all].map((db) => db.destroy()), invalidations.close()])
      },
    }
  }

  const longRunning = databaseOn(long) as Database
  longRunning.longRunning = longRunning
  return Object.assign(databaseOn(usual), { longRunning })
}

type Pools = Record<'app' | 'reader' | 'primary', { pool: pg.Pool; db: Db }>
type PoolOptions = Pick<Options, 'onLost'> & { reach: Availability }

function openPools(
  { app, reader, primaryReader = reader }: Addresses,
  limits: Limits,
  sizes: Sizes,
  { reach, onLost }: PoolOptions,
): Pools {
  const opened = (address: string, longestMs: number | null) => {
    const its = pool(address, longestMs, { ...sizes, onLost })
    return { pool: its, db: kyselyOn(its, reach) }
  }
  const pools = { app: opened(app, limits.app), reader: opened(reader, limits.reader) }
  const primary = primaryReader === reader ? pools.reader : opened(primaryReader, limits.reader)
  primaries.set(pools.reader.db, primary.db)
  return { ...pools, primary }
}

function howBusy({ totalCount: total, idleCount: idle, waitingCount: waiting }: pg.Pool) {
  return { total, idle, waiting }
}

const primaries = new WeakMap<Db, Db>()

/** Where to read what is kept: a replica may be behind, and would be believed for as long. */
export function primary(db: Db): Db {
  return primaries.get(db) ?? db
}

function pool(address: string, longestMs: number | null, { onLost, ...sizes }: Sizes & Pick<Options, 'onLost'>): pg.Pool {
  const opened = new pg.Pool({
    ...sizes,
    connectionString: limitStatements(address, longestMs),
    // A database that hangs, or a line that is dead, does not say so. Long work waits for a connection too, and for a row no longer than others do.
    ...(longestMs === null
      ? { connectionTimeoutMillis: 60_000, lock_timeout: longestWaitMs }
      : { connectionTimeoutMillis: 5_000, query_timeout: longestMs + 1_000 }),
    keepAlive: true,
    pipeline: true,
  })
  // The pool hears of a connection only while it lies idle; one in use may break between two statements.
  opened.on('connect', (client) => client.on('error', onLost))
  opened.on('error', () => undefined)
  return opened
}

function kyselyOn(opened: pg.Pool, reach: Availability): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections(opened, reach) }) })
}

const patienceMs = [50, 200, 500]

/**
 * Runs `work` in one transaction, tells the caches what it invalidated once it is committed, and runs the whole of it again when the database
 * asks for that (a deadlock) or could not be reached.
 * A connection that breaks on the way is tried again only when doing the work twice is `harmless`. `work` must do nothing but speak to the database.
 */
export async function transact<T>(database: Database, work: (tx: Db) => Promise<T>, { harmless = false } = {}): Promise<T> {
  for (const wait of patienceMs) {
    try {
      return await attempt(database, work)
    } catch (error) {
      if (!isRetryable(error, { harmless })) throw error
      await setTimeout(randomInt(wait / 2, wait * 2))
    }
  }
  return attempt(database, work)
}

async function attempt<T>({ app, invalidations }: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  let begun: Db | undefined
  const committed = app.transaction().execute(async (tx) => {
    begun = tx
    const result = await work(tx)
    await invalidations.record(tx)
    return { result, invalidated: invalidatedBy(tx) }
  })
  const { result, invalidated } = await committed.catch((error: unknown) => {
    if (begun) wordings.get(begun)?.(error)
    throw error
  })
  invalidations.announce(invalidated)
  return result
}

const wordings = new WeakMap<Db, (error: unknown) => never>()

/** Inside a transaction: what the database refuses in a statement that leaves with the commit is thrown as this words it. */
export function refusedBy(tx: Db, worded: (error: unknown) => never): void {
  wordings.set(tx, worded)
}

/** One of these, in a text that is the same however many there are: `.where('id', '=', anyOf(ids))`. The column gives the type. */
export function anyOf<T>(values: readonly T[]): RawBuilder<T> {
  return sql`any(${values})`
}

/** Each of these, for what is none of them: `.where('id', '<>', allOf(ids))`. */
export function allOf<T>(values: readonly T[]): RawBuilder<T> {
  return sql`all(${values})`
}

/**
 * Inserts rows that have the same columns, in a text that is the same however many there are. JSON carries them, so none holds bytes.
 * The columns give the types.
 */
export function insertRows<Table extends keyof Tables>(tx: Db, table: Table, rows: readonly Insertable<Tables[Table]>[]) {
  const columns = Object.keys(rows[0] ?? {})
  const taken = sql.join(
    columns.map((name) => sql.ref(name)),
    sql`, `,
  )
  return tx
    .insertInto(table)
    .columns(columns as (keyof Tables[Table] & string)[])
    .expression(sql`select ${taken} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows, wellFormed)}::json)`)
}

// Half of a pair of UTF-16, as a text has that was cut, is no JSON to PostgreSQL.
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** True when the error says that the row exists already, under the named constraint or any. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return !constraint || error.constraint === constraint
}
