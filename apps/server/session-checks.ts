import { sql } from 'kysely'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { isUnavailable, type Database, type Db } from '#base/server/database/database.ts'
import { poolingAt } from '#base/server/database/pooling.ts'
import { appRole, readerRole } from '#base/server/database/roles.ts'
import { statementTimeoutsMs } from '#base/server/database/statement-limit.ts'
import type { Log } from '#base/server/log.ts'

/** The ways to the database: the owner's past a pooler in transaction mode, and the one for the two roles. */
export type Ways = { ownerUrl: string; pooledUrl: string; prepares: boolean }

const inTransactions = 'leads to a pooler in transaction mode, which allows no migrations, no LISTEN, no jobs and no locks of a session'

/** Recognises poolers, and refuses those by which the forum cannot work. */
export async function waysTo(config: Pick<Config, 'databaseUrl' | 'directUrl' | 'replicaUrl'>, log: Log): Promise<Ways> {
  const { databaseUrl, directUrl, replicaUrl } = config
  const pooledUrl = databaseUrl ?? ''
  const ownerUrl = directUrl ?? pooledUrl
  const { mode, keepsStatements } = await poolingAt(pooledUrl)
  if (mode === 'statement') throw new CannotStart('DATABASE_URL leads to a pooler in statement mode, which allows no transactions.')
  if (mode === 'transaction' && !directUrl)
    throw new CannotStart(
      `DATABASE_URL ${inTransactions}. Name PostgreSQL itself in DATABASE_DIRECT_URL as well, or set the pooler to session mode.`,
    )
  if (directUrl && ['transaction', 'statement'].includes((await poolingAt(directUrl)).mode))
    throw new CannotStart(`DATABASE_DIRECT_URL ${inTransactions}. Name PostgreSQL itself there.`)
  if (replicaUrl) await refusePooledReplica(replicaUrl, ownerUrl)
  if (mode !== 'none') log.info({ mode }, 'DATABASE_URL leads to a pooler')
  if (!keepsStatements)
    log.warn(
      'The pooler keeps no prepared statements, so each is planned at every use. PgBouncer does from 1.21, with max_prepared_statements',
    )
  return { ownerUrl, pooledUrl, prepares: keepsStatements }
}

// Its sessions are read by long work too, without a limit.
async function refusePooledReplica(replicaUrl: string, ownerUrl: string): Promise<void> {
  const { username, password } = new URL(ownerUrl)
  const address = new URL(replicaUrl)
  Object.assign(address, { username, password })
  address.searchParams.set('target_session_attrs', 'any')
  // A replica that is away is no reason not to start.
  const pooling = await poolingAt(address.href).catch(() => null)
  if (pooling && ['transaction', 'statement'].includes(pooling.mode))
    throw new CannotStart(`DATABASE_REPLICA_URL ${inTransactions}. Name the replica itself, or a pooler in session mode.`)
}

/** Refuses sessions that are not under the limits that the program sets, such as those of a pooler that drops them. */
export async function assertLimits(database: Database): Promise<void> {
  const { longRunning } = database
  const wrong = await Promise.all([
    limitProblem(database.app, appRole, statementTimeoutsMs.app),
    limitProblem(database.primaryReader, readerRole, statementTimeoutsMs.reader),
    limitProblem(longRunning.app, appRole, 0),
    limitProblem(longRunning.primaryReader, readerRole, 0),
    ...(database.replica() === null ? [] : [limitProblem(database.reader, readerRole, statementTimeoutsMs.reader).catch(unlessAway)]),
  ])
  const found = wrong.filter((problem) => problem !== null)
  if (found.length > 0) throw new CannotStart(found.join('\n'))
}

async function limitProblem(db: Db, role: string, expectedMs: number): Promise<string | null> {
  const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(db)
  const actualMs = rows[0]?.ms
  if (actualMs === expectedMs) return null
  return (
    `A session of ${role} has statement_timeout = ${actualMs} ms, and the forum set ${expectedMs} ms. ` +
    'A pooler gives it other sessions than it was given: end its server connections (RECONNECT in PgBouncer), and start again.'
  )
}

function unlessAway(error: unknown): null {
  if (isUnavailable(error)) return null
  throw error
}
