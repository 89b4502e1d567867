import type { Database } from '#base/server/database/database.ts'
import type { Program } from '#importer/server/source.ts'

/** Removes all that an import brought. */
export async function undoImport(_: { database: Database; ownerUrl: string }, __: Program): Promise<{ removed: number }> {
  throw new Error('not yet')
}
