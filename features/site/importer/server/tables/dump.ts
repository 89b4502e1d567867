import { tmpdir } from 'node:os'
import { quotesNothing } from '#importer/server/tables/connection.ts'
import { dumpFiles } from '#importer/server/tables/dump/files.ts'
import { loadDump, type LoadedDump } from '#importer/server/tables/dump/load.ts'
import { createStore, type Store } from '#importer/server/tables/dump/store.ts'
import { fieldOf, storedGrammar } from '#importer/server/tables/dump/stored.ts'
import { readsBy, selectionIn, type Catalogue } from '#importer/server/tables/select.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

export type DumpOptions = {
  /** Which tables are loaded; all by default. */
  wanted?: (table: string) => boolean
  /** The charset of the dump where the operator knows better than its SET NAMES, by its MySQL name. */
  charset?: string
  /** Where the rows lie while they are read. */
  folder?: string
}

const place = 'The dump'

/**
 * The tables of an SQL dump: a file of mysqldump, mariadb-dump, phpMyAdmin, Discuz! or pg_dump (plain), also with gzip or Zstandard, or a folder
 * of such files. The rows lie in a temporary file until it is closed. A dump that is cut is refused as a whole.
 */
export async function openDump(path: string, { wanted = () => true, charset, folder = tmpdir() }: DumpOptions = {}): Promise<SourceTables> {
  const files = await dumpFiles(path)
  const store = createStore(folder)
  try {
    const isWanted = (table: string) => quotesNothing(table) && wanted(table)
    const loaded = await loadDump(files, { store, wanted: isWanted, charset: charset?.toLowerCase() ?? null })
    store.finish()
    return tablesOf(store, loaded)
  } catch (error) {
    store.close()
    throw error
  }
}

function tablesOf(store: Store, { dialect, charset }: LoadedDump): SourceTables {
  const catalogue: Catalogue = new Map(
    [...store.tables].map(([name, { columns }]) => [name, new Map(columns.map((column) => [column.name, fieldOf(column, charset)]))]),
  )
  const reads = readsBy(catalogue, selectionIn(catalogue, storedGrammar, place), place, async (statement) => store.run(statement))
  // A wrong name is for the read to refuse.
  const index = (table: string, columns: readonly string[]) => {
    const fields = catalogue.get(table)
    if (columns.every((column) => fields?.has(column))) store.index(table, columns)
  }
  return {
    dialect,
    ...reads,
    page(table, read) {
      index(
        table,
        read.keys.map(({ column }) => column),
      )
      return reads.page(table, read)
    },
    among(table, read) {
      index(table, [read.column, ...(read.order ?? [])])
      return reads.among(table, read)
    },
    close: async () => store.close(),
  }
}
