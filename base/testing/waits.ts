import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '#base/server/database.ts'

/** Comes back once so many transactions of this database wait for what another holds. */
export async function untilWaiting(db: Db, many = 1): Promise<void> {
  for (let patience = 200; patience > 0; patience--) {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if ((rows[0]?.waiting ?? 0) >= many) return
    await setTimeout(25)
  }
  throw new Error('Nobody waits')
}
