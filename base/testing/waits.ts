import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#base/server/database/database.ts'
import { patienceMs } from '#base/testing/patience.ts'

/** Resolves once this many transactions of the database wait for a lock. */
export async function untilLockWaits(db: Db, many = 1): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return (rows[0]?.waiting ?? 0) >= many
  })
}

/** Polls until a condition holds, with the patience of every poll, in a test or before the first. */
export async function until(isSo: () => unknown): Promise<void> {
  const mustBeSo = async () => {
    if (!(await isSo())) throw new Error(`It never came true: ${String(isSo)}`)
  }
  await vi.waitFor(mustBeSo, { timeout: patienceMs() })
}
