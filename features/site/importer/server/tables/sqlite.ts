import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#base/server/cannot-start.ts'
import { quotesNothing } from '#importer/server/tables/connection.ts'
import { readCells } from '#importer/server/tables/dump/store.ts'
import { tableIn } from '#importer/server/tables/dump/stored.ts'
import { readsBy, selectionIn, type Catalogue, type Field, type Grammar } from '#importer/server/tables/select.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

/** The tables of a SQLite file, which is only read. A cell is the text of its value, and a blob its bytes. */
export async function openSqlite(path: string): Promise<SourceTables> {
  const database = opened(path)
  const catalogue = catalogueOf(database)
  const reads = readsBy(catalogue, selectionIn(catalogue, grammar, place), place, async (statement) => readCells(database, statement))
  return { dialect: 'sqlite', ...reads, close: async () => database.close() }
}

const place = 'The file'

function opened(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    database.prepare('select count(*) from sqlite_schema').get()
    return database
  } catch (error) {
    throw new CannotStart(`${path} is no SQLite file that can be read. See to its path and its rights.`, { cause: error })
  }
}

function catalogueOf(database: DatabaseSync): Catalogue {
  const columns = database.prepare(
    `select its.name as "table", info.name as name, lower(info.type) as type from sqlite_schema as its, pragma_table_info(its.name) as info
     where its.type in ('table', 'view') and its.name not like 'sqlite~_%' escape '~' order by its.name, info.cid`,
  )
  const catalogue = new Map<string, Map<string, Field>>()
  for (const row of columns.all()) {
    const [table, name, type] = [String(row['table']), String(row['name']), String(row['type'])]
    if (!quotesNothing(table) || !quotesNothing(name)) continue
    const fields = catalogue.get(table) ?? new Map<string, Field>()
    catalogue.set(table, fields)
    fields.set(name, { name, type, isNumber: isNumber(type), charset: /char|text|clob|json/.test(type) ? 'utf8mb4' : null })
  }
  return catalogue
}

// A date and a text are stored as text, and what is declared as one of these as a number.
function isNumber(type: string): boolean {
  return /int|bool|numeric|decimal|real|doub|floa/.test(type)
}

const wholeNumber = /^-?\d{1,18}$/

const grammar: Grammar = {
  table: tableIn,
  column: ({ name }) => tableIn(name),
  bytes: ({ name }) => tableIn(name),
  text: (expression) => expression,
  value(field, bytes, values) {
    const text = bytes.toString()
    values.push(field.isNumber && wholeNumber.test(text) ? BigInt(text) : text)
    return '?'
  },
  isAmong: (field, among, values) => `${tableIn(field.name)} in (${among.map((one) => grammar.value(field, one, values)).join(', ')})`,
  isAfter(keys, values) {
    const columns = keys.map(({ field }) => tableIn(field.name))
    return `(${columns.join(', ')}) > (${keys.map(({ field, value }) => grammar.value(field, value, values)).join(', ')})`
  },
}
