import type { SQLInputValue } from 'node:sqlite'
import type { Content, DumpColumn } from '#importer/server/tables/dump/create-table.ts'
import type { Field, Grammar } from '#importer/server/tables/select.ts'
import type { Cell } from '#importer/server/tables/source-tables.ts'

/** A column of a dump as others see it. `charset` is that of all texts of the dump, or null where each column has its own. */
export function fieldOf({ name, content, charset: declared }: DumpColumn, charset: string | null): Field {
  const isNumber = content === 'integer' || content === 'fraction' || content === 'bits'
  return { name, type: content, isNumber, charset: content === 'text' ? (charset ?? declared) : null }
}

/** The statements of the temporary SQLite file. */
export const storedGrammar: Grammar = {
  table: tableIn,
  column: comparedColumn,
  bytes: ({ name }) => columnIn(name),
  text: (expression) => expression,
  value({ type }, bytes, values) {
    values.push(type === 'integer' || type === 'bits' ? storedInteger(bytes) : bytes)
    return type === 'fraction' ? 'cast(? as numeric)' : '?'
  },
  isAmong: (field, among, values) =>
    `${comparedColumn(field)} in (${among.map((one) => storedGrammar.value(field, one, values)).join(', ')})`,
  isAfter(keys, values) {
    const columns = keys.map(({ field }) => comparedColumn(field))
    return `(${columns.join(', ')}) > (${keys.map(({ field, value }) => storedGrammar.value(field, value, values)).join(', ')})`
  },
}

export function tableIn(name: string): string {
  return `"${name}"`
}

/** A column of the file, as it is compared where its content is given. */
export function columnIn(name: string, content?: Content): string {
  return content === 'fraction' ? `cast("${name}" as numeric)` : `"${name}"`
}

function comparedColumn({ name, type }: Field): string {
  return columnIn(name, type === 'fraction' ? type : undefined)
}

/** A cell as the file holds it. */
export function storedCell(cell: Cell, content: Content): SQLInputValue {
  if (cell === null) return null
  switch (content) {
    case 'integer':
      return storedInteger(cell)
    case 'bits':
      return BigInt(`0x${cell.toString('hex') || '0'}`)
    case 'boolean':
      // COPY has t, and a live PostgreSQL true.
      return Buffer.from(/^(t|true|1)$/i.test(cell.toString('latin1')) ? 'true' : 'false')
    case 'bytes':
      return cell[0] === 0x5c && cell[1] === 0x78 ? Buffer.from(cell.toString('latin1', 2), 'hex') : cell
    case 'fraction':
    case 'text':
    case 'other':
      return cell
  }
}

const wholeNumber = /^-?\d{1,18}$/
const exactDigits = 15

/** A number beyond 64 bits stays text, which SQLite orders after all numbers. */
function storedInteger(bytes: Buffer): SQLInputValue {
  const text = bytes.toString('latin1')
  if (!wholeNumber.test(text)) return bytes
  return text.length <= exactDigits ? Number(text) : BigInt(text)
}
