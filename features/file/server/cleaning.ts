import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database.ts'
import { renditionWidths } from '#file/limits.ts'
import { nameOf } from '#file/server/rendition.ts'
import { idIn } from '#file/server/stored-name.ts'
import type { Storage } from '#file/server/storage.ts'

const batch = 200
const strayAfterMs = 24 * 3600_000

/** Clears away uploads that nothing has used for two hours. May stop anywhere: the next run goes on, and `removeStrays` finds what fell between. */
export async function removeUnused(database: Database, storage: Storage): Promise<number> {
  let removed = 0
  for (;;) {
    const ids = await forgetSome(database)
    for (const id of ids) await removeAll(storage, id)
    removed += ids.length
    if (ids.length < batch) return removed
  }
}

/** Clears away files without a row, a day after they came: those of uploads that failed at the end. */
export async function removeStrays(database: Database, storage: Storage, now = new Date()): Promise<number> {
  let removed = 0
  let names: string[] = []
  for await (const name of storage.list(new Date(now.getTime() - strayAfterMs))) {
    names.push(name)
    if (names.length < batch) continue
    removed += await removeRowless(database, storage, names)
    names = []
  }
  return removed + (await removeRowless(database, storage, names))
}

// Rows go first: a file without a row harms nobody, a row without its file shows a broken picture.
async function forgetSome(database: Database): Promise<string[]> {
  const rows = await transact(database, (tx) =>
    tx
      .deleteFrom('file')
      .where('id', 'in', (file) =>
        file
          .selectFrom('file')
          .select('id')
          .where('unused_since', '<', sql<Date>`now() - interval '2 hours'`)
          .orderBy('unused_since')
          .limit(batch)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  )
  return rows.map((row) => row.id)
}

async function removeRowless(database: Database, storage: Storage, names: readonly string[]): Promise<number> {
  if (names.length === 0) return 0
  const ids = [...new Set(names.map(idIn))]
  const rows = await database.app.selectFrom('file').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map((row) => row.id))
  const strays = names.filter((name) => !known.has(idIn(name)))
  for (const name of strays) await storage.remove(name)
  return strays.length
}

async function removeAll(storage: Storage, id: string): Promise<void> {
  for (const width of [null, ...renditionWidths]) await storage.remove(nameOf(id, width))
}
