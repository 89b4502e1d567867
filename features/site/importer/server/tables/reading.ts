import type { Kind, Page, Read, Reader } from '#importer/server/source.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

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
    return table !== undefined && (await tables.tables()).includes(table) ? tables.count(table) : 0
  }
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
