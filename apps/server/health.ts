import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isOverloaded, type Database } from '#base/server/database/database.ts'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import { isShuttingDown } from '#apps/server/shutdown.ts'
import { migrations } from '#database/migrate.ts'
import { overdueChecks } from '#wallet/server/books-state.ts'

type Health = {
  process: 'up' | 'leaving'
  /** `busy` if it does not answer soon but is there: other servers would be as busy, so this one stays in use. `standby` if no primary is among its hosts. */
  database: 'up' | 'busy' | 'away' | 'standby'
  /** Null without a replica. Reads go to the primary while it is away or behind, so the server is healthy all the same. */
  replica: ReplicaState['state'] | null
  /** Null without a replica, and while it does not answer. */
  replicaLagSeconds: number | null
  migrations: 'current' | 'pending' | 'unknown'
  /** `late` if a check of the books is overdue: an alarm for people, but the server is healthy. */
  books: 'checked' | 'late' | 'unknown'
}

/**
 * `/health` for load balancers and people: 200 if the process, its database and the migrations are in order, 503 if not, or during
 * shutdown.
 */
export function serveHealth(app: FastifyInstance, { primaryReader, replica, state: databaseState }: Database): void {
  app.get('/health', { logLevel: 'warn' }, async (_, reply) => {
    const { state = null, lagSeconds = null } = replica() ?? {}
    const health: Health = {
      ...(await checkInTime(primaryReader)),
      ...(databaseState() === 'standby' && { database: 'standby' as const }),
      replica: state,
      replicaLagSeconds: lagSeconds,
      process: isShuttingDown(app) ? 'leaving' : 'up',
    }
    const isWell = health.process === 'up' && (health.database === 'busy' || health.migrations === 'current')
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(health)
  })
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
