import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Tables } from '#database/tables.ts'

const batchSize = 10_000
const dayMs = 86_400_000

/**
 * Deletes rows older than so many days, some thousand at a time, so that a long backlog neither times out nor blocks others. 0 days deletes
 * nothing.
 */
export async function deleteOlderThan(db: Db, table: keyof Tables, at: string, days: number): Promise<void> {
  if (days === 0) return
  const before = new Date(Date.now() - days * dayMs)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(at)} < ${before} limit ${batchSize}))`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}
