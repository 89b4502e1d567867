import { decoded } from '#importer/server/body/references.ts'
import { text, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** An opened phpBB. */
export type Phpbb = {
  tables: SourceTables
  /** The name of a table with the prefix of this forum. */
  table(name: string): string
  decode(bytes: Buffer): string
  config: ReadonlyMap<string, string>
}

/** A text that phpBB stores escaped for HTML: titles, names, subjects and comments of files. */
export function escapedText({ decode }: Phpbb, row: Row, column: string): string {
  return decoded(text(row, column, decode))
}

/** Phpbb's account of everybody who is not logged in. */
export const anonymous = '1'
