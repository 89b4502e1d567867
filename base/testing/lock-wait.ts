import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'

/** Whether any transaction waits for a lock. */
export async function hasLockWait({ app }: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app)
  return rows.length > 0
}
