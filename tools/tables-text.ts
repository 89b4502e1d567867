import { readFileSync } from 'node:fs'
import { format, type FormatOptions } from 'oxfmt'
import type pg from 'pg'

type Column = {
  schema: string
  table: string
  column: string
  type: string
  isNullable: boolean
  isOptional: boolean
  isComputed: boolean
  /** The definition of the check constraint that lists all values of the column, if there is one. */
  ownChoices: string | null
  /** The same of the column's domain. */
  domainChoices: string | null
  labels: string | null
}

const head = `// Generated from the migrated database by tools/make-tables.ts. Do not edit.
import type { ColumnType, Generated as KyselyGenerated } from 'kysely'

type Int8 = ColumnType<string, string | number | bigint, string | number | bigint>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json = ColumnType<unknown, string, string>
type Nullable<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S | null, I | null | undefined, U | null> : never
type Generated<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : KyselyGenerated<T>
`
const numeric = 'type Numeric = ColumnType<string, string | number, string | number>\n'
const computed = 'type Computed<T> = ColumnType<T extends ColumnType<infer S, never, never> ? S : T, never, never>\n'

const types: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Timestamp',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'Int8',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'Numeric',
  text: 'string',
  timestamptz: 'Timestamp',
  tsvector: 'string',
  tstzrange: 'string',
  uuid: 'string',
  varchar: 'string',
  xid8: 'string',
}
const columnTypes = new Set(['Int8', 'Json', 'Numeric', 'Timestamp'])

/** The text of `database/tables.ts` for this database. */
export async function tablesText(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<Column>(columnsQuery)
  const tables = Map.groupBy(rows, nameOf)
  const names = [...tables.keys()].sort()
  const bodies = names.map((name) => shapeOf(name, tables.get(name) ?? []))
  const index = `export interface Tables {\n${names.map((name) => `  ${keyOf(name)}: ${pascal(name)}`).join('\n')}\n}\n`
  const uses = (word: string) => bodies.some((body) => body.includes(word))
  const helpers = (uses('Numeric') ? numeric : '') + (uses('Computed<') ? computed : '')
  return formatted([head + helpers, ...bodies, index].join('\n'))
}

// A check constraint names its one column; `x in ('a', 'b')` is printed as `x = ANY (ARRAY['a'::text, 'b'::text])`.
const columnsQuery = `
  select n.nspname as schema, c.relname as table, a.attname as column, coalesce(base.typname, t.typname) as type,
         not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "isOptional", a.attgenerated <> '' as "isComputed",
         (select pg_get_constraintdef(k.oid) from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
             and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = (ANY \\(ARRAY\\[''|''[^'']*''::text\\)\\))'
           order by k.conname limit 1) as "ownChoices",
         (select pg_get_constraintdef(k.oid) from pg_constraint k where k.contypid = t.oid and k.contype = 'c' limit 1) as "domainChoices",
         (select string_agg(quote_literal(enumlabel) || '::text', ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid) as "labels"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type base on base.oid = t.typbasetype and t.typtype = 'd'
   where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
     and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and n.nspname !~ '^(pg_temp|pg_toast_temp|pgboss)'
     and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     and (n.nspname, c.relname) <> ('public', 'migration')
   order by n.nspname, c.relname, a.attnum`

function shapeOf(name: string, columns: Column[]): string {
  const lines = columns.map((column) => `  ${column.column}: ${typeOf(column)}`)
  return `export interface ${pascal(name)} {\n${lines.join('\n')}\n}\n`
}

function typeOf(column: Column): string {
  const choices = column.ownChoices ?? column.domainChoices ?? column.labels
  const type = choices ? literals(choices) : plainType(column)
  if (column.isComputed) return `Computed<${column.isNullable ? `${type} | null` : type}>`
  if (column.isNullable) return columnTypes.has(type) ? `Nullable<${type}>` : `${type} | null`
  return column.isOptional ? `Generated<${type}>` : type
}

function plainType({ type, table, column }: Column): string {
  const element = types[type.replace(/^_/, '')]
  if (!element) throw new Error(`${table}.${column} is of type ${type}, for which tools/tables-text.ts knows no TypeScript type.`)
  if (!type.startsWith('_')) return element
  return `${element === 'Int8' ? 'string' : element}[]`
}

function literals(check: string): string {
  return [...check.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => quoted(value.replaceAll("''", "'"))).join(' | ')
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function nameOf({ schema, table }: Column): string {
  return schema === 'public' ? table : `${schema}.${table}`
}

function keyOf(name: string): string {
  return name.includes('.') ? quoted(name) : name
}

function pascal(name: string): string {
  return name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

async function formatted(source: string): Promise<string> {
  const options: FormatOptions = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'))
  const { code, errors } = await format('tables.ts', source, options)
  if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'))
  return code
}
