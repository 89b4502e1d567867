import type { Kind, Reader, SourceRows } from '#importer/server/source.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { filesIn, type SourceFiles } from '#importer/server/tables/source-files.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

type Open = (tables: SourceTables, files: SourceFiles) => Promise<Reader>

/** All rows of a kind in a dump of a board. */
export async function rowsInDump<K extends Kind>(open: Open, dump: string, kind: K): Promise<SourceRows[K][]> {
  const reader = await open(await openDump(dump), filesIn(null))
  try {
    const upto = (await reader.marks())[kind] ?? ''
    const rows: SourceRows[K][] = []
    for await (const page of reader.rows[kind]({ after: null, since: null, upto })) rows.push(...page.rows)
    return rows
  } finally {
    await reader.close()
  }
}
