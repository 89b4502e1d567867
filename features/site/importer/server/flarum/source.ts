import { allRows, type TableRead } from '#importer/server/tables/pages.ts'
import { bigint, dateTime, flag, text, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** An opened Flarum. */
export type Flarum = {
  tables: SourceTables
  /** The name of a table with the prefix of this forum. */
  table(name: string): string
  decode(bytes: Buffer): string
  settings: ReadonlyMap<string, string>
  /** The columns that a table has, of these. Extensions add theirs, and Flarum 2 some of its own. */
  columnsOf(table: string, wanted: readonly string[]): Promise<string[]>
}

/** The group of administrators, who may everything. */
export const admins = '1'
export const guests = '2'
export const everyMember = '3'
export const moderators = '4'

/** A number as the text that ids have; 0 for null. */
export function id(row: Row, column: string): string {
  return String(bigint(row, column))
}

export function plainText({ decode }: Flarum, row: Row, column: string): string {
  return row[column] === undefined ? '' : text(row, column, decode)
}

/** Whether it is so; not where the forum has no such column. */
export function isSet(row: Row, column: string): boolean {
  return row[column] !== undefined && flag(row, column)
}

/** A time; null where the forum has no such column. */
export function timeOf(row: Row, column: string): Date | null {
  return row[column] === undefined ? null : dateTime(row, column)
}

/** All rows of a small table, with those of the columns that it has; none where the forum has no such table. */
export async function smallTable(flarum: Flarum, name: string, read: Pick<TableRead, 'columns' | 'keys'>): Promise<Row[]> {
  const table = flarum.table(name)
  if (!(await flarum.tables.tables()).includes(table)) return []
  return allRows(flarum.tables, { ...read, table, columns: await flarum.columnsOf(table, read.columns) })
}
