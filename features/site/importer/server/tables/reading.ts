import type { Kind, Page, Read, Reader } from '#importer/server/source.ts'
import type { SourceLeftOut } from '#importer/server/source-report.ts'
import { integer, type Condition, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** Rows of which there are few, all in one page. */
export function inOnePage<T>(all: () => Promise<readonly T[]>): Read<T> {
  return async function* read({ after }): AsyncGenerator<Page<T>> {
    if (after === null) yield { rows: await all(), cursor: 'all' }
  }
}

/** A program that has no such rows. */
export async function* noRows(): AsyncGenerator<never> {}

/** Counts by the tables of each kind; 0 for a kind or a table that the program has not. */
export function countsOf(tables: SourceTables, counted: { [K in Kind]?: readonly string[] }): Reader['count'] {
  return async (kind) => {
    const [table] = counted[kind] ?? []
    return table === undefined ? 0 : countIn(tables, [{ table }])
  }
}

type Counted = { table: string; where?: readonly Condition[] }

/** The rows of several tables; none of a table that the program has not. */
export async function countIn(tables: SourceTables, counted: readonly Counted[]): Promise<number> {
  const present = await tables.tables()
  let total = 0
  for (const { table, where } of counted) if (present.includes(table)) total += await tables.count(table, where)
  return total
}

/** Rows that a reader leaves out, by a condition. A name is of these columns. */
type LeftOut = Pick<SourceLeftOut<Kind>, 'kind' | 'why'> & {
  table: string
  where: readonly Condition[]
  id: string
  columns?: readonly string[]
  name?: (row: Row) => string
}

const samples = 5

/** The rows that these conditions leave out, with some of each; none of a table that the program has not. */
export async function leftOutOf(tables: SourceTables, all: readonly LeftOut[]): Promise<SourceLeftOut<Kind>[]> {
  const present = await tables.tables()
  const found: SourceLeftOut<Kind>[] = []
  for (const { kind, why, table, where, id, name = null, columns = [] } of all) {
    const count = present.includes(table) ? await tables.count(table, where) : 0
    if (count === 0) continue
    const read = { columns: [id, ...columns], keys: [{ column: id, kind: 'number' as const }], after: null, where, limit: samples }
    const rows = await tables.page(table, read)
    found.push({ kind, why, count, samples: rows.map((row) => ({ id: String(integer(row, id)), name: name && name(row) })) })
  }
  return found
}

/** The highest ids of this moment. */
export async function marksOf(
  tables: SourceTables,
  stored: { readonly [K in Kind]?: readonly [table: string, column: string] },
): Promise<Partial<Record<Kind, string>>> {
  const present = await tables.tables()
  const found: [string, string][] = []
  for (const [kind, [table, column]] of Object.entries(stored))
    found.push([kind, present.includes(table) ? ((await tables.max(table, column)) ?? '0') : '0'])
  return Object.fromEntries(found)
}
