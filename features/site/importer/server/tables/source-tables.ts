import { CannotStart } from '#base/server/cannot-start.ts'

/**
 * The tables of another program, read raw: from a live database or a dump. A cell holds bytes as they are stored, a number or time its text in
 * bytes, a bit field its number. Texts are in the column's charset, or so the program believes: see decode.ts.
 */
export type SourceTables = {
  dialect: 'mysql' | 'postgres' | 'sqlite'
  tables(): Promise<string[]>
  columns(table: string): Promise<SourceColumn[]>
  count(table: string, where?: readonly Condition[]): Promise<number>
  max(table: string, column: string): Promise<string | null>
  /** The next rows in the order of the keys, which are unique together and never null. A text is ordered as the database orders it. */
  page(table: string, read: PageRead): Promise<Row[]>
  /** The rows with one of the values. Those of one value come together, in the order of the other columns. */
  among(table: string, read: AmongRead): Promise<Row[]>
  close(): Promise<void>
}

export type Cell = Buffer | null
export type Row = Readonly<Record<string, Cell>>
/** `charset` is of the bytes that come, by its MySQL name; null for a column without text, and where it is unknown. */
export type SourceColumn = { name: string; charset: string | null }

export type Key = { column: string; kind: 'number' | 'text' }
export type Condition = { column: string; is: '=' | '>' | '<='; value: string } | { column: string; is: 'in'; values: readonly string[] }
export type PageRead = {
  columns: readonly string[]
  keys: readonly Key[]
  /** The keys of the last row, as `keysOf` gives them, or null to begin. */
  after: readonly string[] | null
  where?: readonly Condition[]
  limit: number
}
export type AmongRead = { columns: readonly string[]; column: string; values: readonly string[]; order?: readonly string[] }

/** Where a page after this row begins. A character of a text key is one byte, so that nothing is lost whatever its charset is. */
export function keysOf(row: Row, keys: readonly Key[]): string[] {
  return keys.map(({ column }) => {
    const cell = cellOf(row, column)
    if (cell === null) throw new Error(`The key ${column} is null`)
    return cell.toString('latin1')
  })
}

/** The text of a cell; empty for null. */
export function text(row: Row, column: string, decode: (bytes: Buffer) => string): string {
  const cell = cellOf(row, column)
  return cell === null ? '' : decode(cell)
}

/** A whole number; 0 for null. */
export function integer(row: Row, column: string): number {
  const number = Number(bigint(row, column))
  if (!Number.isSafeInteger(number)) throw new Error(`${column} is ${number}, which is too large for an exact number`)
  return number
}

/** A number as the text that ids have; 0 for null. */
export function id(row: Row, column: string): string {
  return String(integer(row, column))
}

const wholeNumber = /^(-?\d{1,40})(?:\.0{1,40})?$/

/** A whole number of any size; 0 for null. */
export function bigint(row: Row, column: string): bigint {
  const cell = cellOf(row, column)
  if (cell === null) return 0n
  const [, digits] = wholeNumber.exec(cell.toString('latin1')) ?? []
  if (digits === undefined) throw new Error(`${column} is no whole number: ${JSON.stringify(cell.toString('latin1', 0, 40))}`)
  return BigInt(digits)
}

const falseTexts = new Set(['', '0', 'f', 'false', 'n', 'no', '\0'])

/** Any truth: a number other than 0, PostgreSQL's `true`, a bit. False for null. */
export function flag(row: Row, column: string): boolean {
  const cell = cellOf(row, column)
  return cell !== null && !falseTexts.has(cell.toString('latin1').toLowerCase())
}

const maxSeconds = 8_640_000_000_000

/** Seconds since 1970. Null for null, 0 and less, a time past all calendars, and MySQL's date of zeros. */
export function unixTime(row: Row, column: string): Date | null {
  const cell = cellOf(row, column)
  if (cell === null || isZeroDate(cell)) return null
  const seconds = Number(bigint(row, column))
  return seconds > 0 && seconds <= maxSeconds ? new Date(seconds * 1000) : null
}

const dateText = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** A date or time as the database writes it, in UTC where it names no zone. Null for null, and for MySQL's date of zeros. */
export function dateTime(row: Row, column: string): Date | null {
  const cell = cellOf(row, column)
  if (cell === null || isZeroDate(cell)) return null
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = dateText.exec(cell.toString('latin1')) ?? []
  const date = new Date(`${day}T${time}${fraction.slice(0, 4)}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  // MySQL allows 2020-02-00, which is no day.
  return Number.isNaN(date.getTime()) ? null : date
}

function isZeroDate(cell: Buffer): boolean {
  return cell.toString('latin1', 0, 10) === '0000-00-00'
}

/** A column that was not read is a mistake of the caller. */
function cellOf(row: Row, column: string): Cell {
  const cell = row[column]
  if (cell === undefined) throw new Error(`The column ${column} was not read`)
  return cell
}

/** `place` is `The database`, `The dump` or `The file`. */
export function missingTable(place: string, table: string): CannotStart {
  return new CannotStart(
    `${place} has no table ${table}. See to the table prefix, and that it is the forum's own database, whole and not only some of its tables.`,
  )
}

export function missingColumn(table: string, column: string): CannotStart {
  return new CannotStart(
    `The table ${table} has no column ${column}, so the forum is of a version that cannot be read. Update it by its own means, and try again.`,
  )
}
