import { half, unreadable } from '#importer/server/tables/dump/half.ts'
import { lineEnd, scanToken, type Lexis, type Token } from '#importer/server/tables/dump/tokens.ts'
import type { Input } from '#importer/server/tables/dump/input.ts'
import type { Cell } from '#importer/server/tables/source-tables.ts'

/** What follows a row of VALUES: a row, the end of the list, or, as null, what is not there yet. */
export type ScannedRow = { cells: Cell[] } | 'end' | null

/** Reads `(1, 'a', NULL)` and the comma before it. It stays at the token that is no row. */
export function scanRow(input: Input, lexis: Lexis, table: string): ScannedRow {
  const start = input.position
  let token = scanToken(input, lexis)
  if (token?.kind === 'mark' && token.text === ',') token = scanToken(input, lexis)
  if (token?.kind === 'nothing') throw halfRows(table)
  if (token && !(token.kind === 'mark' && token.text === '(')) {
    input.position = start
    return 'end'
  }
  const cells = token && scanCells(input, lexis, table)
  if (cells) return { cells }
  input.position = start
  return null
}

function scanCells(input: Input, lexis: Lexis, table: string): Cell[] | null {
  const cells: Cell[] = []
  for (;;) {
    const cell = scanCell(input, lexis, table)
    if (cell === undefined) return null
    cells.push(cell)
    const token = scanToken(input, lexis)
    if (!token) return null
    if (token.kind === 'nothing') throw halfRows(table)
    if (token.kind !== 'mark' || (token.text !== ',' && token.text !== ')')) throw expressionIn(table)
    if (token.text === ')') return cells
  }
}

/** Undefined if it is not there yet. */
function scanCell(input: Input, lexis: Lexis, table: string): Cell | undefined {
  const token = scanToken(input, lexis)
  if (!token) return undefined
  if (token.kind !== 'word') return cellOf(token, table)
  const word = token.text.toLowerCase()
  if (word === 'null') return null
  if (word === 'true' || word === 'false') return Buffer.from(lexis.dialect === 'postgres' ? word : word === 'true' ? '1' : '0')
  // An introducer: _binary 'a', _utf8mb4'a'.
  const next = word.startsWith('_') ? scanToken(input, lexis) : token
  return next ? cellOf(next, table) : undefined
}

function cellOf(token: Token, table: string): Cell {
  if (token.kind === 'string' || token.kind === 'bits') return token.bytes
  if (token.kind === 'number') return Buffer.from(token.text, 'latin1')
  // MySQL's second kind of quotation marks for texts.
  if (token.kind === 'name') return Buffer.from(token.text)
  if (token.kind === 'nothing') throw halfRows(table)
  throw expressionIn(table)
}

function halfRows(table: string): Error {
  return half(`It ends in the middle of the rows of ${table}`)
}

function expressionIn(table: string): Error {
  return unreadable(`a row of ${table} holds an expression in place of a value`, 'Make it with mysqldump --hex-blob, or with pg_dump.')
}

const [backslash, tab, lineFeed, carriageReturn] = [0x5c, 0x09, 0x0a, 0x0d]

/** Reads a line of PostgreSQL's COPY: cells parted by tabs. `\.` is the end. */
export function scanCopyRow(input: Input): ScannedRow {
  const start = input.position
  const next = lineEnd(input, start)
  if (next === null) return null
  const { bytes } = input
  if (next === start || bytes[next - 1] !== lineFeed) throw half('It ends in the middle of the rows of a table')
  const end = bytes[next - 2] === carriageReturn && next - 2 >= start ? next - 2 : next - 1
  input.position = next
  if (end - start === 2 && bytes[start] === backslash && bytes[start + 1] === 0x2e) return 'end'
  const cells: Cell[] = []
  for (let from = start; from <= end;) {
    const found = bytes.indexOf(tab, from)
    const to = found === -1 || found > end ? end : found
    cells.push(copyCell(bytes.subarray(from, to)))
    from = to + 1
  }
  return { cells }
}

const copyLetters: Readonly<Record<number, number>> = { 0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09, 0x76: 0x0b }

function copyCell(bytes: Buffer): Cell {
  if (bytes.length === 2 && bytes[0] === backslash && bytes[1] === 0x4e) return null
  if (!bytes.includes(backslash)) return bytes
  const result = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const escaped = byte === backslash ? (bytes[++at] ?? backslash) : byte
    result[length++] = byte === backslash ? (copyLetters[escaped] ?? escaped) : byte
  }
  return result.subarray(0, length)
}
