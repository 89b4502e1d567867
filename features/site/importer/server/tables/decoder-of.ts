import { decoderFor, type Decoder } from '#importer/server/tables/decode.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

const samples = 500

/** How the texts of a forum are really encoded, by samples of these columns. */
export async function decoderOf(
  tables: SourceTables,
  columns: readonly (readonly [table: string, column: string])[],
  declared: string | null = null,
): Promise<Decoder> {
  const found: Buffer[] = []
  for (const [table, column] of columns) {
    const keys = (await tables.columns(table)).slice(0, 1).map(({ name }) => ({ column: name, kind: 'number' as const }))
    const rows = await tables.page(table, { columns: [column], keys, after: null, limit: samples })
    for (const row of rows) if (row[column]) found.push(row[column])
  }
  const charset = declared ?? (await charsetOf(tables, columns))
  return decoderFor(found, charset)
}

async function charsetOf(tables: SourceTables, [first]: readonly (readonly [string, string])[]): Promise<string | null> {
  if (!first) return null
  const [table, column] = first
  return (await tables.columns(table)).find(({ name }) => name === column)?.charset ?? null
}
