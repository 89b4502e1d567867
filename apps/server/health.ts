import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { isBlocked, type CommitState } from '#base/server/database/commit-watch.ts'
import { isOverloaded, type Database } from '#base/server/database/database.ts'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import type { Log } from '#base/server/log.ts'
import { isShuttingDown } from '#apps/server/shutdown.ts'
import { migrations } from '#database/migrate.ts'
import { overdueChecks } from '#wallet/server/books-state.ts'

type Health = {
  process: 'up' | 'leaving'
  /**
   * `busy` if it does not answer soon but is there: other servers would be as busy, so this one stays in use. `standby` if no primary is
   * among its hosts.
   */
  database: 'up' | 'busy' | 'away' | 'standby'
  /** Whether transactions can be committed, as last tried in the background. */
  commits: CommitState['state']
  /** The cause for which commits wait or are refused; null without one, or if it is not known. */
  waitsFor: CommitState['waitsFor']
  /** Null without a replica. Reads go to the primary while it is away or behind, so the server is healthy all the same. */
  replica: ReplicaState['state'] | null
  /** Null without a replica, and while it does not answer. */
  replicaLagSeconds: number | null
  migrations: 'current' | 'pending' | 'unknown'
  /** `late` if a check of the books is overdue: an alarm for people, but the server is healthy. */
  books: 'checked' | 'late' | 'unknown'
}

/**
 * `/health` for people and monitors: 200 if the process, its database and the migrations are in order, 503 if not, if nothing can be
 * written, or during shutdown. `/health/live` for load balancers: the process alone, because all servers lose their database together, and
 * the pages kept in memory with them.
 */
export function serveHealth(app: FastifyInstance, { primaryReader, replica, commits, state: databaseState }: Database, log: Log): void {
  app.addHook('onListen', async () => commits.start(commitLog(log)))

  app.get('/health/live', { logLevel: 'warn' }, async (_, reply) => answer(reply, { process: processState(app) }, !isShuttingDown(app)))

  app.get('/health', { logLevel: 'warn' }, async (_, reply) => {
    const { state = null, lagSeconds = null } = replica() ?? {}
    const health: Health = {
      ...(await checkInTime(primaryReader)),
      ...(databaseState() === 'standby' && { database: 'standby' as const }),
      commits: commits.state.state,
      waitsFor: commits.state.waitsFor,
      replica: state,
      replicaLagSeconds: lagSeconds,
      process: processState(app),
    }
    const isDatabaseWell = health.database === 'busy' || health.migrations === 'current'
    return answer(reply, health, health.process === 'up' && isDatabaseWell && !isBlocked(commits.state))
  })
}

function processState(app: FastifyInstance): Health['process'] {
  return isShuttingDown(app) ? 'leaving' : 'up'
}

function answer(reply: FastifyReply, health: Partial<Health>, isWell: boolean): FastifyReply {
  return reply
    .code(isWell ? 200 : 503)
    .header('cache-control', 'no-store')
    .send(health)
}

const cures: Record<string, string> = {
  SyncRep: 'A synchronous standby is away. Bring it back, or take it out of synchronous_standby_names.',
  Lock: 'A session holds a lock for seconds. pg_blocking_pids() of those that wait in pg_stat_activity names it.',
  'read-only': 'The database is read-only: a standby, or default_transaction_read_only is on.',
  disk: 'The disk of PostgreSQL is full. Make room.',
}

/** Hears of each state, and logs troubles and their end. */
function commitLog(log: Log): (state: CommitState) => void {
  let isTroubled = false
  return ({ state, waitsFor }) => {
    if (isTroubled && state === 'up') log.info('Transactions are committed again')
    isTroubled = state === 'waiting' || state === 'refused'
    const cure = cures[waitsFor ?? ''] ?? 'See pg_stat_activity for what it does.'
    if (isTroubled) log.warn({ waitsFor }, `${state === 'refused' ? 'PostgreSQL refuses writes' : 'Transactions wait'}. ${cure}`)
  }
}

const timeoutMs = 1_500

type DatabaseHealth = Pick<Health, 'database' | 'migrations' | 'books'>

async function checkInTime(reader: Database['reader']): Promise<DatabaseHealth> {
  try {
    return await withDeadline(timeoutMs, () => check(reader))
  } catch (error) {
    // The answer reports it. One that hangs is found to be away by the connection that listens.
    const isBusy = error instanceof DeadlineExceeded || isOverloaded(error)
    return { database: isBusy ? 'busy' : 'away', migrations: 'unknown', books: 'unknown' }
  }
}

async function check(reader: Database['reader']): Promise<DatabaseHealth> {
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(reader)
  const done = new Set(rows.map((row) => row.name))
  const isCurrent = (await migrations()).every((name) => done.has(name))
  const overdue = isCurrent ? await overdueChecks(reader) : null
  return {
    database: 'up',
    migrations: isCurrent ? 'current' : 'pending',
    books: overdue === null ? 'unknown' : overdue.length > 0 ? 'late' : 'checked',
  }
}
