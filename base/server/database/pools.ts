import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { longestWaitMs } from '#base/server/call-deadline.ts'
import type { Availability } from '#base/server/database/availability.ts'
import { postgresPool, type Db, type RenewablePool } from '#base/server/database/connection.ts'
import { SessionClient } from '#base/server/database/session-client.ts'
import { limitStatements } from '#base/server/database/statement-limit.ts'
import type { Tables } from '#database/tables.ts'

/** The addresses of the two roles. */
export type RoleAddresses = { app: string; reader: string; /** Set if it differs from the reader's. */ primaryReader?: string }

export type Sizes = Pick<pg.PoolConfig, 'min' | 'max' | 'idleTimeoutMillis'>
type Limits = { app: number | null; reader: number | null }

const lockTimeoutMs = 15_000
const longestJobWaitMs = 60_000

/** The pools of the two roles, and the reader's on the primary: the same as the reader's without a replica. */
export type Pools = Record<'app' | 'reader' | 'primary', { pool: pg.Pool; db: Db; renew: RenewablePool['renew'] }>
type PoolOptions = {
  availability: Availability
  prepares: boolean
  /** Hears of connections that break. */
  onLost: (error: Error) => void
  onReadOnly: () => void
}

export function openPools(
  { app, reader, primaryReader = reader }: RoleAddresses,
  limits: Limits,
  sizes: Sizes,
  { onLost, onReadOnly, ...rest }: PoolOptions,
): Pools {
  const opened = (address: string, statementTimeoutMs: number | null, writes = false) => {
    const opened = pool(address, statementTimeoutMs, { ...sizes, onLost })
    const waitMs = statementTimeoutMs === null ? longestJobWaitMs : longestWaitMs
    const wrapped = postgresPool(opened, { ...rest, longestWaitMs: waitMs, onReadOnly: writes ? onReadOnly : null })
    return { pool: opened, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: wrapped }) }), renew: () => wrapped.renew() }
  }
  const pools = { app: opened(app, limits.app, true), reader: opened(reader, limits.reader) }
  const primary = primaryReader === reader ? pools.reader : opened(primaryReader, limits.reader)
  return { ...pools, primary }
}

export function poolStats({ totalCount: total, idleCount: idle, waitingCount: waiting }: pg.Pool) {
  return { total, idle, waiting }
}

function pool(address: string, statementTimeoutMs: number | null, { onLost, ...sizes }: Sizes & Pick<PoolOptions, 'onLost'>): pg.Pool {
  const { connectionString, limits } = limitStatements(address, statementTimeoutMs)
  const config = {
    ...sizes,
    connectionString,
    Client: SessionClient,
    // Long work waits for a row no longer than others do.
    limits: statementTimeoutMs === null ? { lock_timeout: String(lockTimeoutMs), ...limits } : limits,
    // A hanging database or a dead connection reports nothing.
    ...(statementTimeoutMs !== null && { query_timeout: statementTimeoutMs + 1_000 }),
    keepAlive: true,
    pipeline: true,
  }
  const opened = new pg.Pool(config)
  // The pool handles errors only of idle connections; one in use may break between two statements.
  opened.on('connect', (client) => client.on('error', onLost))
  opened.on('error', () => undefined)
  return opened
}
