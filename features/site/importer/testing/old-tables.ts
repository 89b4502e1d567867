import { DatabaseSync } from 'node:sqlite'
import iconv from 'iconv-lite'

export type OldCell = number | string | null
export type OldRow = Readonly<Record<string, OldCell>>
export type OldTables = Readonly<Record<string, readonly OldRow[]>>

/**
 * Statements that make tables of these rows: a column is a whole number or a text, as the value of the first row that has it, and a time or a
 * truth by its name. Where a row has null, a row without the column has it too.
 */
export function tablesSql(tables: OldTables, charset: 'gbk' | 'utf8mb3' | 'utf8mb4'): string {
  return Object.entries(tables)
    .flatMap(([table, rows]) => [createTable(table, rows, charset), ...rows.map((row) => insert(table, row, charset))])
    .join('\n')
}

function createTable(table: string, rows: readonly OldRow[], charset: string): string {
  const definitions = columnsOf(rows).map(({ name, isNumber, isNullable }) => {
    if (isTime(name)) return `\`${name}\` datetime default null`
    const type = isTruth(name) ? 'tinyint(1)' : isNumber ? 'bigint' : `varchar(2000) charset ${charset}`
    return `\`${name}\` ${type} ${isNullable ? 'default null' : `not null default ${isNumber ? '0' : `''`}`}`
  })
  return `create table \`${table}\` (${definitions.join(', ')}) engine=InnoDB;`
}

type OldColumn = { name: string; isNumber: boolean; isNullable: boolean }

function columnsOf(rows: readonly OldRow[]): OldColumn[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return names.map((name) => {
    const cells = rows.flatMap((row) => row[name] ?? [])
    return { name, isNumber: typeof cells[0] === 'number', isNullable: rows.some((row) => row[name] === null) }
  })
}

function insert(table: string, row: OldRow, charset: 'gbk' | 'utf8mb3' | 'utf8mb4'): string {
  const columns = Object.keys(row).map((name) => `\`${name}\``)
  const values = Object.values(row).map((value) => (typeof value === 'string' ? literal(value, charset) : String(value)))
  return `insert into \`${table}\` (${columns.join(', ')}) values (${values.join(', ')});`
}

function literal(text: string, charset: 'gbk' | 'utf8mb3' | 'utf8mb4'): string {
  const bytes = charset === 'gbk' ? iconv.encode(text, 'gbk') : Buffer.from(text)
  return bytes.length === 0 ? `''` : `_${charset} X'${bytes.toString('hex')}'`
}

/** The same for PostgreSQL. */
export function postgresSql(tables: OldTables): string {
  return Object.entries(tables)
    .map(([table, rows]) => {
      const columns = columnsOf(rows).map(({ name, isNumber }) => ({ name, type: postgresType(name, isNumber) }))
      const definitions = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')
      const json = JSON.stringify(rows.map((row) => booleansIn(row))).replaceAll(`'`, `''`)
      return `create table "${table}" (${definitions}); insert into "${table}" select * from json_populate_recordset(null::"${table}", '${json}');`
    })
    .join('\n')
}

function postgresType(name: string, isNumber: boolean): string {
  if (isTruth(name)) return 'boolean'
  if (isTime(name)) return 'timestamp'
  return isNumber ? 'integer' : 'text'
}

function isTime(name: string): boolean {
  return /_at$|_until$|_date$/.test(name)
}

function isTruth(name: string): boolean {
  return name.startsWith('is_') || name === 'public_poll'
}

function booleansIn(row: OldRow): Record<string, OldCell | boolean> {
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, isTruth(name) && cell !== null ? cell === 1 : cell]))
}

/** A SQLite file of these tables. */
export function writeSqlite(path: string, tables: OldTables): string {
  const database = new DatabaseSync(path)
  database.exec('begin')
  for (const [table, rows] of Object.entries(tables)) {
    const columns = columnsOf(rows)
    const types = columns.map(({ name, isNumber }) => `"${name}" ${isTime(name) ? 'datetime' : isNumber ? 'integer' : 'text'}`)
    database.exec(`create table "${table}" (${types.join(', ')})`)
    const insertion = database.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insertion.run(...columns.map(({ name }) => row[name] ?? null))
  }
  database.exec('commit')
  database.close()
  return path
}
