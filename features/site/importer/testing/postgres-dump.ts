export type PgRow = Readonly<Record<string, number | string | boolean | null>>
export type PgTables = Readonly<Record<string, readonly PgRow[]>>

/**
 * Statements that make tables of PostgreSQL with these rows. A column is of the type of the first value that a row has for it, and null
 * where a row has none. Without a row there is no table.
 */
export function postgresTables(tables: PgTables, form: 'copy' | 'insert'): string {
  return Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([table, rows]) => {
      const sample = Object.assign({}, ...rows.toReversed()) as PgRow
      const names = Object.keys(sample)
      const typed = names.map((name) => `"${name}" ${typeOf(rows.find((row) => (row[name] ?? null) !== null)?.[name])}`)
      const list = names.map((name) => `"${name}"`).join(', ')
      const lines = rows.map((row) => names.map((name) => (form === 'copy' ? copied(row[name]) : literal(row[name]))))
      const create = `CREATE TABLE public.${table} (\n    ${typed.join(',\n    ')}\n);\n`
      if (form === 'insert')
        return create + lines.map((cells) => `INSERT INTO public.${table} (${list}) VALUES (${cells.join(', ')});\n`).join('')
      return `${create}COPY public.${table} (${list}) FROM stdin;\n${lines.map((cells) => `${cells.join('\t')}\n`).join('')}\\.\n`
    })
    .join('\n')
}

/** A dump as pg_dump writes it. */
export function postgresDump(tables: PgTables): string {
  const head = `--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n\n`
  return `${head}${postgresTables(tables, 'copy')}\n--\n-- PostgreSQL database dump complete\n--\n`
}

function typeOf(value: PgRow[string] | undefined): string {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'integer'
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value) ? 'timestamp without time zone' : 'text'
}

function copied(value: PgRow[string] | undefined): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return String(value).replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

function literal(value: PgRow[string] | undefined): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
