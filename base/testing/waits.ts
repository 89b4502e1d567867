import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#base/server/database/database.ts'

/** Comes back once so many transactions of this database wait for what another holds. */
export async function untilWaiting(db: Db, many = 1): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return (rows[0]?.waiting ?? 0) >= many
  })
}

/** Comes back once this is so. Its patience is that of every poll: only what never comes outlasts it, however slow the machine is. */
export async function until(isSo: () => unknown): Promise<void> {
  await expect.poll(isSo, { message: String(isSo) }).toBeTruthy()
}
