import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql, type Insertable, type QueryCreator, type RawBuilder } from 'kysely'
import pg from 'pg'
import { isRetryable, Availability, type DatabaseState } from '#base/server/database/availability.ts'
import { CommitWatch } from '#base/server/database/commit-watch.ts'
import { longRunningSize } from '#base/server/database/connection-count.ts'
import type { Db } from '#base/server/database/connection.ts'
import { invalidatedBy, Invalidations } from '#base/server/cache/invalidation.ts'
import { attachProgram, type Program } from '#base/server/program.ts'
import { ReplicaWatch, type ReplicaState } from '#base/server/database/replica-watch.ts'
import { openPools, poolStats, type RoleAddresses, type Pools, type Sizes } from '#base/server/database/pools.ts'
import { statementTimeoutsMs as usualTimeoutsMs } from '#base/server/database/statement-limit.ts'
import { tracedPart } from '#base/server/tracing/trace.ts'
import type { Tables } from '#database/tables.ts'

export { isOverloaded, isUnavailable } from '#base/server/database/availability.ts'

export type { Db }

/** A transaction, or a `with` clause of one statement. */
export type StatementBuilder = Pick<QueryCreator<Tables>, 'updateTable' | 'insertInto'>

export type Database = {
  /** For writes: every transaction of the product uses it. */
  app: Db
  /** Read-only by role and by transaction. A replica, if there is one, while it answers and is not behind. */
  readonly reader: Db
  /** For reads that are cached: the primary, which is never behind. */
  primaryReader: Db
  invalidations: Invalidations
  /** The same without a statement timeout, for work that grows with the forum, such as jobs and seeding. */
  longRunning: Database
  /** Whether a primary answers, as far as this process knows. */
  state(): DatabaseState
  /** Null without a replica. */
  replica(): ReplicaState | null
  /** Whether transactions can be committed, once it was started. */
  commits: CommitWatch
  /** Connections in use of both pools. */
  pools(): { name: 'app' | 'reader'; total: number; idle: number; waiting: number }[]
  close(): Promise<void>
}

type Options = {
  size?: number
  /** An idle connection is closed after so long. A new one plans every statement anew. */
  idleMs?: number
  /** Connections that stay open all the same. */
  minSize?: number
  /** The features of the program; without them, transactions must cause no moment that features take part in. */
  features?: Program['features']
  /** Hears of connections that break. */
  onLost: (error: Error) => void
  /** Hears when reads leave the replica, and when they return. */
  onReplica?: (state: ReplicaState) => void
  /** Hears when no primary answers, and when one does again. */
  onState?: (state: DatabaseState, why: Error | null) => void
  /** False behind a pooler that loses prepared statements. */
  prepares?: boolean
  /** Statement timeouts, except for long-running work. */
  statementTimeoutsMs?: { app: number; reader: number }
}

/** `direct` is for what a pooler in transaction mode does not allow: long work and listening. */
type Addresses = RoleAddresses & { direct?: RoleAddresses }

// Jobs and the like are few at a time and leave no connection open.
const longRunningSizes: Sizes = { min: 0, max: longRunningSize, idleTimeoutMillis: 10_000 }

/** Opens the pools: two, a third with a replica, and the same without a statement timeout. */
export function openDatabase(
  addresses: Addresses,
  {
    size = 16,
    minSize = 2,
    idleMs = 10 * 60_000,
    features = [],
    onLost,
    onReplica,
    onState,
    prepares = true,
    statementTimeoutsMs = usualTimeoutsMs,
  }: Options,
): Database {
  const { direct = addresses } = addresses
  const reach = new Availability(onState)
  const invalidations = new Invalidations(direct.app, reach)
  const common = { availability: reach, onLost, onReadOnly: () => invalidations.lookSoon() }
  const usual = openPools(addresses, statementTimeoutsMs, { min: minSize, max: size, idleTimeoutMillis: idleMs }, { ...common, prepares })
  const long = openPools(direct, { app: null, reader: null }, longRunningSizes, { ...common, prepares: true })
  for (const { reader, primary } of [usual, long]) primaries.set(reader.db, primary.db)
  const watch = usual.primary === usual.reader ? null : watchReplica(usual, onReplica)
  const all = new Set([usual, long].flatMap((pools) => [pools.app.db, pools.reader.db, pools.primary.db]))
  const commits = new CommitWatch(direct.app)
  const program = { features, invalidations }
  for (const db of all) attachProgram(db, program)

  function databaseOn({ app, reader, primary }: Pools): Omit<Database, 'longRunning'> {
    return {
      app: app.db,
      get reader() {
        return watch && watch.state.state !== 'up' ? primary.db : reader.db
      },
      primaryReader: primary.db,
      invalidations,
      state: () => reach.state,
      replica: () => watch?.state ?? null,
      commits,
      pools: () => (['app', 'reader'] as const).map((name) => ({ name, ...poolStats(usual[name].pool) })),
      async close() {
        watch?.stop()
        await Promise.all([...[...all].map((db) => db.destroy()), invalidations.close(), commits.stop()])
      },
    }
  }

  const longRunning = databaseOn(long) as Database
  longRunning.longRunning = longRunning
  return Object.assign(databaseOn(usual), { longRunning })
}

function watchReplica({ reader, primary }: Pools, onChange: Options['onReplica']): ReplicaWatch {
  return new ReplicaWatch({ replica: reader.db, primary: primary.db, onChange, onPrimary: () => reader.renew() })
}

const primaries = new WeakMap<Db, Db>()

/** The pool for reads that are cached: a replica may be behind, and the cache would keep the stale value. */
export function primary(db: Db): Db {
  return primaries.get(db) ?? db
}

const retryDelaysMs = [50, 200, 500]

/**
 * Runs `work` in one transaction and announces its invalidations after the commit. Retries the whole of it after a deadlock, or if the
 * database could not be reached; after a broken connection only if doing it twice is `harmless`. `work` must do nothing but query the
 * database.
 */
export async function transact<T>(database: Database, work: (tx: Db) => Promise<T>, { harmless = false } = {}): Promise<T> {
  for (const wait of retryDelaysMs) {
    try {
      return await attempt(database, work)
    } catch (error) {
      if (!isRetryable(error, { harmless })) throw error
      await setTimeout(randomInt(wait / 2, wait * 2))
    }
  }
  return attempt(database, work)
}

function attempt<T>(database: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  return tracedPart({ name: 'transaction', kind: 'internal' }, () => attemptOnce(database, work))
}

async function attemptOnce<T>({ app, invalidations }: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  let begun: Db | undefined
  let failure: unknown
  const committed = app.transaction().execute(async (tx) => {
    begun = tx
    const result = await work(tx).catch((error: unknown) => Promise.reject((failure = error)))
    await invalidations.record(tx)
    return { result, invalidated: invalidatedBy(tx) }
  })
  const { result, invalidated } = await committed.catch((error: unknown) => {
    if (begun) errorTranslators.get(begun)?.(error)
    // A rollback on a connection that has ended fails too, and would hide why it ended.
    throw failure ?? error
  })
  invalidations.announce(invalidated)
  return result
}

const errorTranslators = new WeakMap<Db, (error: unknown) => never>()

/** Translates the errors of statements that are sent with the commit of this transaction. */
export function translateCommitErrors(tx: Db, translate: (error: unknown) => never): void {
  errorTranslators.set(tx, translate)
}

/**
 * Any of these values, in a statement whose text does not depend on their number: `.where('id', '=', anyOf(ids))`. The column gives the
 * type.
 */
export function anyOf<T>(values: readonly T[]): RawBuilder<T> {
  return sql`any(${values})`
}

/** All of these values, to exclude them: `.where('id', '<>', allOf(ids))`. */
export function allOf<T>(values: readonly T[]): RawBuilder<T> {
  return sql`all(${values})`
}

/**
 * Inserts rows with the same columns, in a statement whose text does not depend on their number. The rows travel as JSON, so they cannot
 * hold bytes. The columns give the types.
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

// PostgreSQL refuses JSON with half a UTF-16 pair, which a truncated text may have.
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** True for a violation of the named unique constraint, or of any. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return !constraint || error.constraint === constraint
}
