import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '#base/server/database/database.ts'
import { isShuttingDown } from '#apps/server/shutdown.ts'
import { migrations } from '#database/migrate.ts'
import { lateLooks } from '#wallet/server/books-state.ts'

type Health = {
  process: 'up' | 'leaving'
  database: 'up' | 'away'
  /** Null where there is none. Without it the primary is read, so that a server is well all the same. */
  replica: 'up' | 'away' | null
  migrations: 'current' | 'pending' | 'unknown'
  /** `late` where a check of the books has not ended for too long. A server is well all the same: it is an alarm for people. */
  books: 'checked' | 'late' | 'unknown'
}

/** `/health` for load balancers and people: 200 when the process, its database and the migrations are well, 503 when not, or when it is about to end. */
export function serveHealth(app: FastifyInstance, { primaryReader, replicaAnswers }: Database): void {
  app.get('/health', { logLevel: 'warn' }, async (_, reply) => {
    const answers = replicaAnswers()
    const replica = answers === null ? null : answers ? 'up' : 'away'
    const health: Health = { ...(await check(primaryReader)), replica, process: isShuttingDown(app) ? 'leaving' : 'up' }
    const isWell = health.process === 'up' && health.database === 'up' && health.migrations === 'current'
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(health)
  })
}

const patienceMs = 1_500

// Whoever asks wants to hear that the database hangs, not to hang with it.
function soon<T>(answer: Promise<T>): Promise<T> {
  const late = setTimeout(patienceMs, undefined, { ref: false }).then(() => Promise.reject(new Error('The database is slow')))
  return Promise.race([answer, late])
}

async function check(reader: Database['reader']): Promise<Pick<Health, 'database' | 'migrations' | 'books'>> {
  try {
    const { rows } = await soon(sql<{ name: string }>`select name from migration`.execute(reader))
    const done = new Set(rows.map((row) => row.name))
    const isCurrent = (await migrations()).every((name) => done.has(name))
    const late = isCurrent ? await soon(lateLooks(reader)) : null
    return {
      database: 'up',
      migrations: isCurrent ? 'current' : 'pending',
      books: late === null ? 'unknown' : late.length > 0 ? 'late' : 'checked',
    }
  } catch {
    return { database: 'away', migrations: 'unknown', books: 'unknown' } // the answer is the report of it
  }
}
