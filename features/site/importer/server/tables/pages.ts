import { CannotStart } from '#base/server/cannot-start.ts'
import { keysOf, type Condition, type Key, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'
import type { Page } from '#importer/server/source.ts'

export type TableRead = { table: string; columns: readonly string[]; keys: readonly Key[]; where?: readonly Condition[]; perPage?: number }

const usualPage = 500
const maxBytes = 4_000_000

/**
 * The rows of a table in the order of its keys, in pages whose cursors are those keys. Pages of long rows have fewer, so that memory does not hang on
 * what people wrote. `map` may read other tables for a whole page.
 */
export async function* pagesOf<T>(
  tables: SourceTables,
  { table, columns, keys, where = [], perPage = usualPage }: TableRead,
  after: string | null,
  map: (rows: readonly Row[]) => Promise<readonly T[]> | readonly T[],
): AsyncGenerator<Page<T>> {
  let position = after === null ? null : cursorIn(after)
  for (let limit = perPage, isLast = false; !isLast;) {
    const rows = await tables.page(table, { columns, keys, after: position, where, limit })
    isLast = rows.length < limit
    for (const part of ofBytes(rows)) {
      position = keysOf(part.at(-1) ?? {}, keys)
      yield { rows: await map(part), cursor: JSON.stringify(position) }
    }
    limit = Math.max(1, Math.min(perPage, Math.floor((maxBytes * rows.length) / Math.max(1, bytesOf(rows)))))
  }
}

/** The rows in parts of so many bytes, each with one row at least. */
function ofBytes(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = []
  let bytes = Infinity
  for (const row of rows) {
    bytes += bytesOf([row])
    if (bytes <= maxBytes) parts.at(-1)?.push(row)
    else {
      parts.push([row])
      bytes = bytesOf([row])
    }
  }
  return parts
}

function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => Object.values(row).reduce((all, cell) => all + (cell?.length ?? 0), sum), 0)
}

function cursorIn(text: string): string[] {
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new CannotStart(`The import stopped at ${text}, which is no place in this source. Undo it and begin anew.`)
}

/**
 * The rows of several tables, one table after another; one that the program lacks has none. `map` gets the table that they are of. The columns are those
 * that are named and the keys.
 */
export async function* pagesInTurn<T>(
  tables: SourceTables,
  reads: readonly TableRead[],
  after: string | null,
  map: (rows: readonly Row[], table: string) => Promise<readonly T[]> | readonly T[],
): AsyncGenerator<Page<T>> {
  const present = await tables.tables()
  const those = reads.filter(({ table }) => present.includes(table))
  const [current, cursor] = after === null ? [null, null] : [after.slice(0, after.indexOf('\n')), after.slice(after.indexOf('\n') + 1)]
  const first = those.findIndex(({ table }) => table === current)
  for (const read of those.slice(Math.max(0, first))) {
    const columns = [...new Set([...read.columns, ...read.keys.map(({ column }) => column)])]
    const begin = read.table === current ? cursor : null
    for await (const page of pagesOf(tables, { ...read, columns }, begin, (rows) => map(rows, read.table)))
      yield { rows: page.rows, cursor: `${read.table}\n${page.cursor}` }
  }
}

/** Keys that are numbers. */
export function numberKeys(...columns: readonly string[]): Key[] {
  return columns.map((column) => ({ column, kind: 'number' }))
}

/** The conditions of ids that came since a run, up to the mark of this one. */
export function idsBetween(column: string, since: string | null, upto: string): Condition[] {
  return [
    { column, is: '>', value: since ?? '0' },
    { column, is: '<=', value: upto },
  ]
}

/** All rows of a small table, in the order of its keys; none where the program has no such table. */
export async function allRows(tables: SourceTables, read: TableRead): Promise<Row[]> {
  if (!(await tables.tables()).includes(read.table)) return []
  const rows: Row[] = []
  for await (const page of pagesOf(tables, read, null, (some) => some)) rows.push(...page.rows)
  return rows
}

/** Those rows of a table that have one of these values, by the value; none where the program has no such table. */
export async function rowsBy(
  tables: SourceTables,
  { table, columns, column, order }: { table: string; columns: readonly string[]; column: string; order?: readonly string[] },
  values: readonly string[],
): Promise<Map<string, Row[]>> {
  const unique = [...new Set(values)]
  if (unique.length === 0 || !(await tables.tables()).includes(table)) return new Map()
  const rows = await tables.among(table, { columns: [...new Set([column, ...columns])], column, values: unique, ...(order && { order }) })
  return Map.groupBy(rows, (row) => row[column]?.toString('latin1') ?? '')
}
