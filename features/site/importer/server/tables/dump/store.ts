import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Content, DumpColumn } from '#importer/server/tables/dump/create-table.ts'
import { columnIn, storedCell, tableIn } from '#importer/server/tables/dump/stored.ts'
import type { Statement } from '#importer/server/tables/select.ts'
import type { Cell } from '#importer/server/tables/source-tables.ts'

/** The rows of a dump in a temporary SQLite file. A whole number is stored as one, and all else as bytes. */
export type Store = {
  tables: ReadonlyMap<string, DumpTable>
  create(name: string, columns: readonly DumpColumn[]): void
  /** Cells in the order of these columns, which are some of the table's. */
  insert(name: string, columns: readonly string[]): (cells: readonly Cell[]) => void
  /** Ends loading. */
  finish(): void
  index(name: string, columns: readonly string[]): void
  run(statement: Statement): Cell[][]
  close(): void
}
export type DumpTable = { columns: readonly DumpColumn[]; hasRows: boolean }

/** Makes the file in a folder of its own under `parent`, which is removed with it. */
export function createStore(parent: string): Store {
  const folder = mkdtempSync(join(parent, 'teahouse-dump-'))
  const database = new DatabaseSync(join(folder, 'rows.sqlite'))
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32768; begin')
  const tables = new Map<string, DumpTable>()
  const inserts = new Map<string, StatementSync>()
  return {
    tables,
    create(name, columns) {
      database.exec(`drop table if exists ${tableIn(name)}`)
      database.exec(`create table ${tableIn(name)} (${columns.map((column) => columnIn(column.name)).join(', ')})`)
      tables.set(name, { columns, hasRows: false })
      inserts.clear()
    },
    insert(name, columns) {
      const table = tableOf(tables, name)
      const contents = columns.map((column) => contentOf(table, column))
      const list = columns.map((column) => columnIn(column)).join(', ')
      const text = `insert into ${tableIn(name)} (${list}) values (${columns.map(() => '?').join(', ')})`
      const statement = inserts.get(text) ?? database.prepare(text)
      inserts.set(text, statement)
      return (cells) => {
        write(statement, cells, contents)
        table.hasRows = true
      }
    },
    finish() {
      inserts.clear()
      database.exec('commit')
    },
    index(name, columns) {
      const list = columns.map((column) => columnIn(column, contentOf(tableOf(tables, name), column))).join(', ')
      database.exec(`create index if not exists ${columnIn(`${name} by ${columns.join()}`)} on ${tableIn(name)} (${list})`)
    },
    run: (statement) => readCells(database, statement),
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function tableOf(tables: ReadonlyMap<string, DumpTable>, name: string): DumpTable {
  const table = tables.get(name)
  if (!table) throw new Error(`The table ${name} was not created`)
  return table
}

function contentOf({ columns }: DumpTable, column: string): Content {
  const found = columns.find(({ name }) => name === column)
  if (!found) throw new Error(`The column ${column} was not created`)
  return found.content
}

const sqliteFull = 13

function write(statement: StatementSync, cells: readonly Cell[], contents: readonly Content[]): void {
  try {
    statement.run(...cells.map((cell, at) => storedCell(cell, contents[at] ?? 'other')))
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteFull)) throw error
    throw new CannotStart('The disk is full. A dump takes as much space again while it is read. Make room, and begin again.', {
      cause: error,
    })
  }
}

/** The rows of a statement, numbers of any size as their digits. */
export function readCells(database: DatabaseSync, { text, values }: Statement): Cell[][] {
  const statement = database.prepare(text)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const rows = statement.all(...(values as SQLInputValue[])) as unknown as SQLInputValue[][]
  return rows.map((row) => row.map(cellOf))
}

function cellOf(value: SQLInputValue): Cell {
  if (value === null) return null
  return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.from(String(value))
}
