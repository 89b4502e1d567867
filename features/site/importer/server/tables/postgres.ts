import pg from 'pg'
import { checkedUrl, connectionError, quotesNothing, type SourceAddress } from '#importer/server/tables/connection.ts'
import { readsBy, selectionIn, type Catalogue, type Field, type Grammar } from '#importer/server/tables/select.ts'
import type { Cell, SourceTables } from '#importer/server/tables/source-tables.ts'

/**
 * The tables of a PostgreSQL: `postgres://user@host:5432/database`, with `?host=/folder` for a socket, `?schema=name` for another schema than
 * the first of the search path, and `?sslmode=` as libpq has it. The session only reads. A cell is the column's text in UTF-8, and bytea its bytes.
 * A database of SQL_ASCII has texts in any encoding, so they come as bytea too.
 */
export async function openPostgres(address: SourceAddress): Promise<SourceTables> {
  const { client, schema } = await connect(address)
  try {
    await prepare(client, schema)
    const catalogue = await readCatalogue(client)
    const grammar = grammarOf(await isUndeclared(client))
    const reads = readsBy(catalogue, selectionIn(catalogue, grammar, place), place, ({ text, values }) => cellsOf(client, text, values))
    return { dialect: 'postgres', ...reads, close: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

const place = 'The database'
const connectTimeoutMs = 30_000

async function connect({ url, password }: SourceAddress): Promise<{ client: pg.Client; schema: string | null }> {
  const address = checkedUrl(url, ['postgres:', 'postgresql:'], 'postgres://user@host:5432/database')
  const schema = address.searchParams.get('schema')
  address.searchParams.delete('schema')
  // The driver takes the password from the address alone, even if another is given.
  address.password = encodeURIComponent(password)
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: connectTimeoutMs })
  // A connection that breaks between two statements fails the next.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { client, schema }
  } catch (error) {
    throw connectionError('PostgreSQL', url, error)
  }
}

async function prepare(client: pg.Client, schema: string | null): Promise<void> {
  await client.query('set session characteristics as transaction read only')
  await client.query(`set client_encoding = 'UTF8'`)
  await client.query(`set datestyle = 'ISO'; set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 3`)
  await client.query('set statement_timeout = 0')
  if (schema !== null) await client.query(`select set_config('search_path', quote_ident($1), false)`, [schema])
}

/** Of the types, as `format_type` writes them. */
const integerTypes = new Set(['smallint', 'integer', 'bigint'])
const fractionTypes = new Set(['numeric', 'real', 'double precision'])

async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const rows = await cellsOf(
    client,
    `select relname::text, attname::text, format_type(atttypid, -1), (typcategory in ('S', 'E') or typname in ('json', 'jsonb'))::text
     from pg_class join pg_attribute on attrelid = pg_class.oid join pg_type on pg_type.oid = atttypid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
     order by relname, attnum`,
    [],
  )
  const catalogue = new Map<string, Map<string, Field>>()
  for (const row of rows) {
    const [table = '', name = '', type = '', isText = ''] = row.map((cell) => cell?.toString() ?? '')
    if (!quotesNothing(table) || !quotesNothing(name)) continue
    const fields = catalogue.get(table) ?? new Map<string, Field>()
    catalogue.set(table, fields)
    const isNumber = integerTypes.has(type) || fractionTypes.has(type)
    fields.set(name, { name, type, isNumber, charset: isText === 'true' ? 'utf8mb4' : null })
  }
  return catalogue
}

async function isUndeclared(client: pg.Client): Promise<boolean> {
  const [row] = await cellsOf(client, 'show server_encoding', [])
  return row?.[0]?.toString() === 'SQL_ASCII'
}

const byteaType = 17

// pg reads each value as UTF-8, even in the binary format, so bytes come in hexadecimal.
const bytesOnly = {
  getTypeParser: (type: number) => (value: string) => (type === byteaType ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value)),
}

async function cellsOf(client: pg.Client, text: string, values: readonly unknown[]): Promise<Cell[][]> {
  try {
    const { rows } = await client.query<Cell[]>({ text, values: [...values], rowMode: 'array', types: bytesOnly })
    return rows
  } catch (error) {
    throw connectionError('PostgreSQL', null, error)
  }
}

function grammarOf(isUndeclared: boolean): Grammar {
  const value: Grammar['value'] = (field, bytes, values) => {
    values.push(bytes.toString())
    return `$${values.length}::${comparedType(field)}`
  }
  return {
    table: pg.escapeIdentifier,
    column: ({ name }) => pg.escapeIdentifier(name),
    bytes({ name, type }) {
      const column = pg.escapeIdentifier(name)
      const bytes = type === 'bytea' ? column : isUndeclared ? `convert_to(${column}::text, 'UTF8')` : `${column}::text`
      // ORDER BY prefers a name of the output to a column, and no column is called so.
      return `${bytes} as "?"`
    },
    text: (expression) => `${expression}::text`,
    value,
    isAmong(field, among, values) {
      values.push(among.map((one) => one.toString()))
      return `${pg.escapeIdentifier(field.name)} = any($${values.length}::${comparedType(field)}[])`
    },
    isAfter(keys, values) {
      const columns = keys.map(({ field }) => pg.escapeIdentifier(field.name))
      return `(${columns.join(', ')}) > (${keys.map((key) => value(key.field, key.value, values)).join(', ')})`
    },
  }
}

/** The type of the column itself, so that its order and its index count; a number of any size may be compared with an integer. */
function comparedType({ type }: Field): string {
  return integerTypes.has(type) ? 'bigint' : type
}
