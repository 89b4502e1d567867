import { sql } from 'kysely'
import { iconForms } from '#base/branding.ts'
import { anyOf, type Database, transact } from '#base/server/database/database.ts'
import { renditionWidths } from '#file/limits.ts'
import { nameOf } from '#file/server/rendition.ts'
import { attachmentName, iconName, idIn, incomingName, originalForms, originalName, type Storage } from '#file/server/storage-types.ts'
import * as setting from '#setting/server/setting.ts'

const batch = 200
const strayAfterMs = 24 * 3600_000

/**
 * Deletes files that have been unused for the configured time. Safe to interrupt: the next run continues, and `removeStrays` finds
 * leftovers.
 */
export async function removeUnused(database: Database, storage: Storage): Promise<number> {
  const { unusedFileMinutes } = await setting.all(database.reader)
  let removed = 0
  for (;;) {
    const ids = await deleteSome(database, unusedFileMinutes)
    for (const id of ids) await removeAll(storage, id)
    removed += ids.length
    if (ids.length < batch) return removed
  }
}

/** Deletes uploads that were begun an hour ago and not finished. */
export async function deleteExpiredUploads(database: Database, storage: Storage): Promise<number> {
  const begun = await database.app
    .deleteFrom('upload')
    .where('begun_at', '<', sql<Date>`now() - interval '1 hour'`)
    .returning('id')
    .execute()
  for (const { id } of begun) await storage.remove(incomingName(id))
  return begun.length
}

/** Deletes stored files without a row after a day: remains of uploads that failed at the end. */
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

// Rows go first: a file without a row is harmless, a row without its file shows a broken picture.
async function deleteSome(database: Database, minutes: number): Promise<string[]> {
  const rows = await transact(database, (tx) =>
    tx
      .deleteFrom('file')
      .where('id', 'in', (file) =>
        file
          .selectFrom('file')
          .select('id')
          .where('unused_since', '<', sql<Date>`now() - ${minutes} * interval '1 minute'`)
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
  const [files, uploads] = await Promise.all([knownIn(database, 'file', ids), knownIn(database, 'upload', ids)])
  const strays = names.filter((name) => !(name === incomingName(idIn(name)) ? uploads : files).has(idIn(name)))
  for (const name of strays) await storage.remove(name)
  return strays.length
}

async function knownIn({ app }: Database, table: 'file' | 'upload', ids: readonly string[]): Promise<Set<string>> {
  const rows = await app.selectFrom(table).select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map((row) => row.id))
}

async function removeAll(storage: Storage, id: string): Promise<void> {
  await storage.remove(attachmentName(id))
  for (const form of originalForms) await storage.remove(originalName(id, form))
  for (const side of iconForms) await storage.remove(iconName(id, side))
  for (const width of renditionWidths) for (const form of ['webp', 'avif'] as const) await storage.remove(nameOf(id, width, form))
}
