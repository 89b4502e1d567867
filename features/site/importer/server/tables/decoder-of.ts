import { isAscii } from 'node:buffer'
import type { SourceText } from '#importer/server/source-report.ts'
import { decoderFor, type Decoder } from '#importer/server/tables/decode.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

const samples = 500

/** How the texts of a forum are really encoded, by samples of these columns, of all and of each. */
export async function decoderOf(
  tables: SourceTables,
  columns: readonly (readonly [table: string, column: string])[],
  declared: string | null = null,
): Promise<Decoder & { texts: SourceText[] }> {
  const found: Buffer[] = []
  const texts: SourceText[] = []
  for (const [table, column] of columns) {
    const keys = (await tables.columns(table)).slice(0, 1).map(({ name }) => ({ column: name, kind: 'number' as const }))
    const rows = await tables.page(table, { columns: [column], keys, after: null, limit: samples })
    const its = rows.flatMap((row) => row[column] ?? [])
    const charset = await charsetOf(tables, table, column)
    const isTold = its.some((bytes) => !isAscii(bytes))
    texts.push({ column: `${table}.${column}`, declared: charset, encoding: isTold ? decoderFor(its, declared ?? charset).name : null })
    found.push(...its)
  }
  return { ...decoderFor(found, declared ?? texts[0]?.declared ?? null), texts }
}

async function charsetOf(tables: SourceTables, table: string, column: string): Promise<string | null> {
  return (await tables.columns(table)).find(({ name }) => name === column)?.charset ?? null
}
