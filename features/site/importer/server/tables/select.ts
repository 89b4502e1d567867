import { missingColumn, missingTable } from '#importer/server/tables/source-tables.ts'
import type { AmongRead, Cell, Condition, Key, PageRead, Row, SourceColumn, SourceTables } from '#importer/server/tables/source-tables.ts'

/** A column as its catalogue describes it. `isNumber` is true for whole numbers and fractions. */
export type Field = SourceColumn & { isNumber: boolean; type: string }
/** The columns of each table, by name. */
export type Catalogue = ReadonlyMap<string, ReadonlyMap<string, Field>>

/** How a database writes its statements. Each function that takes `values` adds to them what it binds. */
export type Grammar = {
  /** The name of a table in a statement. */
  table(name: string): string
  /** A column that is compared and ordered by. */
  column(field: Field): string
  /** A column as its bytes. */
  bytes(field: Field): string
  /** The text of a count or of a greatest value. */
  text(expression: string): string
  value(field: Field, value: Buffer, values: unknown[]): string
  isAmong(field: Field, among: readonly Buffer[], values: unknown[]): string
  isAfter(keys: readonly KeyValue[], values: unknown[]): string
}
export type KeyValue = { field: Field; value: Buffer }

export type Statement = { text: string; values: unknown[] }
export type Selection = {
  page(table: string, read: PageRead): Statement
  among(table: string, read: AmongRead): Statement
  count(table: string, where: readonly Condition[]): Statement
  max(table: string, column: string): Statement
}

/** Statements of one table each, made of names from the catalogue and bound values only. `place` is as in `missingTable`. */
export function selectionIn(catalogue: Catalogue, grammar: Grammar, place: string): Selection {
  const from = (table: string) => {
    const all = fieldsOf(catalogue, table, place)
    const fields = (column: string): Field => all.get(column) ?? missing(table, column)
    return { source: grammar.table(table), fields }
  }
  return {
    page(table, { columns, keys, after, where = [], limit }) {
      const { fields, source } = from(table)
      const keyFields = keys.map((key) => keyField(fields, table, key))
      const values: unknown[] = []
      const conditions = where.map((one) => conditionOf(grammar, fields(one.column), one, values))
      if (after) conditions.push(grammar.isAfter(pairs(keyFields, after), values))
      const order = keyFields.map((field) => grammar.column(field)).join(', ')
      const text = `select ${bytesOf(grammar, columns.map(fields))} from ${source}${whereOf(conditions)} order by ${order} limit ${wholeLimit(limit)}`
      return { text, values }
    },
    among(table, { columns, column, values: among, order = [] }) {
      const { fields, source } = from(table)
      const values: unknown[] = []
      const condition = conditionOf(grammar, fields(column), { column, is: 'in', values: among }, values)
      const orders = [column, ...order].map((one) => grammar.column(fields(one))).join(', ')
      const text = `select ${bytesOf(grammar, columns.map(fields))} from ${source}${whereOf([condition])} order by ${orders}`
      return { text, values }
    },
    count(table, where) {
      const { fields, source } = from(table)
      const values: unknown[] = []
      const conditions = where.map((one) => conditionOf(grammar, fields(one.column), one, values))
      return { text: `select ${grammar.text('count(*)')} from ${source}${whereOf(conditions)}`, values }
    },
    max(table, column) {
      const { fields, source } = from(table)
      return { text: `select ${grammar.text(`max(${grammar.column(fields(column))})`)} from ${source}`, values: [] }
    },
  }
}

const maxValues = 1_000

/** The reads of an open database, by `run`, which gives rows of cells in the order of the columns. */
export function readsBy(
  catalogue: Catalogue,
  selection: Selection,
  place: string,
  run: (statement: Statement) => Promise<readonly (readonly Cell[])[]>,
): Omit<SourceTables, 'dialect' | 'close'> {
  const only = async (statement: Statement) => (await run(statement))[0]?.[0]?.toString('latin1') ?? null
  return {
    tables: () => Promise.resolve([...catalogue.keys()]),
    columns: async (table) => [...fieldsOf(catalogue, table, place).values()].map(({ name, charset }) => ({ name, charset })),
    count: async (table, where = []) => Number(await only(selection.count(table, where))),
    max: async (table, column) => only(selection.max(table, column)),
    page: async (table, read) => rowsOf(read.columns, await run(selection.page(table, read))),
    async among(table, read) {
      const rows: Row[] = []
      const values = [...new Set(read.values)]
      for (let start = 0; start < values.length; start += maxValues) {
        const batch = values.slice(start, start + maxValues)
        rows.push(...rowsOf(read.columns, await run(selection.among(table, { ...read, values: batch }))))
      }
      return rows
    },
  }
}

function rowsOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): Row[] {
  return rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])))
}

function fieldsOf(catalogue: Catalogue, table: string, place: string): ReadonlyMap<string, Field> {
  const fields = catalogue.get(table)
  if (!fields) throw missingTable(place, table)
  return fields
}

function missing(table: string, column: string): never {
  throw missingColumn(table, column)
}

function keyField(fields: (column: string) => Field, table: string, { column, kind }: Key): Field {
  const field = fields(column)
  if (field.isNumber !== (kind === 'number')) throw new Error(`The key ${column} of ${table} is no ${kind}`)
  return field
}

function conditionOf(grammar: Grammar, field: Field, condition: Condition, values: unknown[]): string {
  if (condition.is !== 'in') return `${grammar.column(field)} ${condition.is} ${grammar.value(field, Buffer.from(condition.value), values)}`
  if (condition.values.length === 0) return '1 = 0'
  const among = condition.values.map((value) => Buffer.from(value))
  return grammar.isAmong(field, among, values)
}

function pairs(fields: readonly Field[], values: readonly string[]): KeyValue[] {
  return fields.map((field, at) => {
    const value = values[at]
    if (value === undefined || values.length !== fields.length) throw new Error('A page goes on after as many values as it has keys')
    return { field, value: Buffer.from(value, 'latin1') }
  })
}

function bytesOf(grammar: Grammar, fields: readonly Field[]): string {
  return fields.map((field) => grammar.bytes(field)).join(', ')
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
}

function wholeLimit(limit: number): number {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new Error(`${limit} is no number of rows`)
  return limit
}
