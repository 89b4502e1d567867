import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Reader } from '#importer/server/source.ts'
import { keptTables } from '#importer/server/source-same.ts'

/**
 * Whether ids stay as they are in the source, which is so between two forums of this program if this one is new. Its sequences go on behind
 * the highest id that was ever given there: no address leads to something else than before.
 */
export async function keepIds(tx: Db, { same }: Reader): Promise<boolean> {
  if (!same || !(await isNew(tx))) return false
  for (const table of keptTables)
    await sql`select setval(its, greatest(${String(same.highestIds[table])}::bigint, pg_sequence_last_value(its), 1))
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as its) as of`.execute(tx)
  return true
}

/** Nobody has written or registered; members that the site speaks as are there from the beginning. */
async function isNew(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    select not exists (select from topic) and not exists (select from member where not is_official) as "isNew"`.execute(tx)
  return rows[0]?.isNew === true
}

export function idsStay(addressRules: unknown): boolean {
  return typeof addressRules === 'object' && addressRules !== null && 'ids' in addressRules && addressRules.ids === 'stay'
}
