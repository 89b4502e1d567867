import { columnsOfCreate, isMark, textOf, type DumpColumn } from '#importer/server/tables/dump/create-table.ts'
import { half, unreadable } from '#importer/server/tables/dump/half.ts'
import type { Input } from '#importer/server/tables/dump/input.ts'
import { scanCopyRow, scanRow, type ScannedRow } from '#importer/server/tables/dump/rows.ts'
import type { Store } from '#importer/server/tables/dump/store.ts'
import { lineEnd, nextToken, type Lexis, type Token } from '#importer/server/tables/dump/tokens.ts'

/** What a dump is read with, and what is known of it so far. */
export type Reading = {
  input: Input
  lexis: Lexis
  store: Store
  wanted(table: string): boolean
  isDiscuz: boolean
  /** The database of USE, and that of each table. */
  database: string | null
  databaseOf: Map<string, string | null>
  /** Of all texts: what the operator gives, or else SET NAMES. */
  charset: string | null
  isCharsetGiven: boolean
}
type Step<T = void> = Generator<undefined, T>

/** Reads all statements of a file. It yields where it needs more of it. */
export function* readStatements(reading: Reading): Step {
  for (;;) {
    const token = yield* next(reading)
    if (token.kind === 'nothing') return
    if (token.kind === 'end') continue
    reading.lexis.escapes = escapesFor(reading, [])
    const word = token.kind === 'word' ? token.text.toUpperCase() : ''
    if (word === 'INSERT' || word === 'REPLACE') yield* readInsert(reading)
    else if (word === 'CREATE') yield* readCreate(reading)
    else if (word === 'COPY' && reading.lexis.dialect === 'postgres') yield* readCopy(reading)
    else if (word === 'SET') yield* readSet(reading)
    else if (word === 'USE') yield* readUse(reading)
    else if (word === 'DELIMITER') reading.lexis.delimiter = (yield* restOfLine(reading)).trim() || ';'
    // A command of psql, such as \restrict.
    else if (isMark(token, '\\')) yield* restOfLine(reading)
    else yield* skipStatement(reading)
  }
}

/** A token within a statement or between two. */
function next({ input, lexis }: Reading): Step<Token> {
  return nextToken(input, lexis)
}

function* within(reading: Reading): Step<Token> {
  const token = yield* next(reading)
  if (token.kind === 'nothing') throw half('It ends in the middle of a statement')
  return token
}

function* skipStatement(reading: Reading): Step {
  while ((yield* within(reading)).kind !== 'end');
}

function* restOfStatement(reading: Reading): Step<Token[]> {
  const tokens: Token[] = []
  for (let token = yield* within(reading); token.kind !== 'end'; token = yield* within(reading)) tokens.push(token)
  return tokens
}

function* restOfLine({ input }: Reading): Step<string> {
  for (;;) {
    const end = lineEnd(input, input.position)
    if (end !== null) {
      const line = input.bytes.toString('utf8', input.position, end)
      input.position = end
      return line
    }
    yield
  }
}

/** A table's name from its first token, and the token after it. `public` is left out, and a database of MySQL. */
function* readName(reading: Reading, first: Token): Step<{ name: string; after: Token }> {
  const parts = [textOf(first) ?? '']
  let after = yield* within(reading)
  while (isMark(after, '.')) {
    parts.push(textOf(yield* within(reading)) ?? '')
    after = yield* within(reading)
  }
  const isShort = reading.lexis.dialect === 'mysql' || parts[0] === 'public'
  return { name: isShort ? (parts.at(-1) ?? '') : parts.join('.'), after }
}

const wordsBeforeName = new Set(['INTO', 'IGNORE', 'LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'ONLY', 'TABLE', 'IF', 'NOT', 'EXISTS'])
const kindsOfTable = new Set(['TABLE', 'UNLOGGED', 'TEMPORARY', 'TEMP', 'FOREIGN', 'OR', 'REPLACE'])

function* firstOfName(reading: Reading): Step<Token> {
  let token = yield* within(reading)
  while (token.kind === 'word' && wordsBeforeName.has(token.text.toUpperCase())) token = yield* within(reading)
  return token
}

function* readCreate(reading: Reading): Step {
  let token = yield* within(reading)
  while (token.kind === 'word' && kindsOfTable.has(token.text.toUpperCase()) && token.text.toUpperCase() !== 'TABLE')
    token = yield* within(reading)
  if (token.kind === 'end') return
  if (!(token.kind === 'word' && token.text.toUpperCase() === 'TABLE')) return yield* skipStatement(reading)
  const { name, after } = yield* readName(reading, yield* firstOfName(reading))
  if (!reading.wanted(name)) return after.kind === 'end' ? undefined : yield* skipStatement(reading)
  const tokens = after.kind === 'end' ? [] : [after, ...(yield* restOfStatement(reading))]
  create(reading, name, columnsOfCreate(tokens, reading.lexis.dialect))
}

function create(reading: Reading, name: string, columns: readonly DumpColumn[]): void {
  if (columns.length === 0) return
  if (reading.store.tables.get(name)?.hasRows)
    throw unreadable(`it creates the table ${name} twice, as two dumps in one do`, 'Give one dump of one database.')
  reading.databaseOf.set(name, reading.database)
  reading.store.create(name, columns)
}

function* readInsert(reading: Reading): Step {
  const { name, after } = yield* readName(reading, yield* firstOfName(reading))
  if (!reading.wanted(name)) return after.kind === 'end' ? undefined : yield* skipStatement(reading)
  let token = after
  const columns = isMark(token, '(') ? yield* readColumns(reading) : null
  if (columns) token = yield* within(reading)
  // pg_dump has OVERRIDING SYSTEM VALUE before it.
  const values = reading.lexis.dialect === 'mysql' ? /^VALUES?$/i : /^VALUES$/i
  while (token.kind === 'word' && !values.test(token.text)) token = yield* within(reading)
  const { input, lexis } = reading
  lexis.escapes = escapesFor(reading, reading.store.tables.get(name)?.columns ?? [])
  const rows = yield* readRows(reading, name, columns, () => scanRow(input, lexis, name))
  if (rows === 0) throw unreadable(`it fills ${name} by something else than rows`, 'Make it with mysqldump or pg_dump.')
  // ON DUPLICATE KEY UPDATE may follow.
  yield* skipStatement(reading)
}

function* readColumns(reading: Reading): Step<string[]> {
  const columns: string[] = []
  for (let token = yield* within(reading); !isMark(token, ')'); token = yield* within(reading)) {
    const column = textOf(token)
    if (column !== null) columns.push(column)
  }
  return columns
}

function* readCopy(reading: Reading): Step {
  const { name, after } = yield* readName(reading, yield* firstOfName(reading))
  const columns = isMark(after, '(') ? yield* readColumns(reading) : null
  const rest = yield* restOfStatement(reading)
  if (!rest.concat(after).some((token) => token.kind === 'word' && token.text.toUpperCase() === 'STDIN')) return
  yield* restOfLine(reading)
  yield* readRows(reading, name, columns, () => scanCopyRow(reading.input))
}

function* readRows(reading: Reading, name: string, listed: readonly string[] | null, scan: () => ScannedRow): Step<number> {
  const insert = reading.wanted(name) ? inserterOf(reading, name, listed) : () => undefined
  let rows = 0
  for (;;) {
    const row = scan()
    if (row === 'end') return rows
    if (row) {
      insert(row.cells)
      rows++
    } else if (reading.input.isLast) throw half(`It ends in the middle of the rows of ${name}`)
    else yield
  }
}

function inserterOf(reading: Reading, name: string, listed: readonly string[] | null) {
  const known = reading.store.tables.get(name)?.columns
  if (!known) throw unreadable(`it has rows of ${name}, but not how the table is made`, 'Make it with the structure of the tables.')
  if (reading.databaseOf.get(name) !== reading.database)
    throw unreadable(`two databases in it have a table ${name}`, 'Make it of the forum alone.')
  const columns = listed ?? known.map((column) => column.name)
  const unknown = columns.find((column) => !known.some((one) => one.name === column))
  if (unknown !== undefined) throw unreadable(`it fills a column ${unknown} that ${name} does not have`, 'Make it anew.')
  const insert = reading.store.insert(name, columns)
  return (cells: Parameters<typeof insert>[0]) => {
    if (cells.length !== columns.length)
      throw unreadable(`a row of ${name} has ${cells.length} values for ${columns.length} columns`, 'Make it anew.')
    insert(cells)
  }
}

/** `SET NAMES gbk` and `SET client_encoding = 'UTF8'`. */
function* readSet(reading: Reading): Step {
  const [what, ...rest] = yield* restOfStatement(reading)
  if (what?.kind !== 'word' || !/^(names|client_encoding)$/i.test(what.text)) return
  const value = rest.find((token) => !isMark(token, '='))
  const name = value?.kind === 'string' ? value.bytes.toString('latin1') : textOf(value)
  if (name !== null && !reading.isCharsetGiven) reading.charset = name.toLowerCase()
}

const wideCharsets = new Set(['gbk', 'gb18030', 'big5'])

/**
 * How backslashes count in these rows. mysqldump escapes by the charset of SET NAMES. Discuz! escapes by that of PHP, which may be another, and
 * of a dump without SET NAMES only the charset of its tables is known.
 */
function escapesFor({ lexis, charset, isCharsetGiven, isDiscuz }: Reading, columns: readonly DumpColumn[]): Lexis['escapes'] {
  if (lexis.dialect === 'postgres') return 'standard'
  const isSure = charset !== null && !isCharsetGiven && !isDiscuz
  const charsets = charset === null ? columns.map((column) => column.charset) : [charset]
  if (!charsets.some((one) => one !== null && wideCharsets.has(one))) return 'bytes'
  return isSure ? 'wide' : 'doubtful'
}

/** The charset of all texts by its MySQL name, or null where each column has its own. */
export function charsetOfDump(charset: string | null): string | null {
  return charset === 'binary' || charset === 'sql_ascii' ? null : charset
}

function* readUse(reading: Reading): Step {
  const [name] = yield* restOfStatement(reading)
  reading.database = textOf(name)
}
