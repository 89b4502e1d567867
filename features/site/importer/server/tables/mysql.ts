import { createConnection, type Connection, type ConnectionOptions, type RowDataPacket } from 'mysql2/promise'
import { checkedUrl, connectionError, quotesNothing, type SourceAddress } from '#importer/server/tables/connection.ts'
import { readsBy, selectionIn, type Catalogue, type Field, type Grammar, type KeyValue } from '#importer/server/tables/select.ts'
import type { Cell, SourceTables } from '#importer/server/tables/source-tables.ts'

/**
 * The tables of a MySQL or MariaDB: `mysql://user@host:3306/database`, with `?socket=/path` for a socket and `?ssl=true` for TLS. The session
 * only reads.
 */
export async function openMysql(address: SourceAddress): Promise<SourceTables> {
  const connection = await connect(address)
  try {
    await prepare(connection)
    const catalogue = await readCatalogue(connection)
    const reads = readsBy(catalogue, selectionIn(catalogue, grammar, place), place, ({ text, values }) => cellsOf(connection, text, values))
    return { dialect: 'mysql', ...reads, close: () => connection.end() }
  } catch (error) {
    connection.destroy()
    throw error
  }
}

const place = 'The database'
const connectTimeoutMs = 30_000

async function connect({ url, password }: SourceAddress): Promise<Connection> {
  const { hostname, port, username, pathname, searchParams } = checkedUrl(url, ['mysql:', 'mariadb:'], 'mysql://user@host:3306/database')
  const socketPath = searchParams.get('socket')
  const options: ConnectionOptions = {
    ...(socketPath ? { socketPath } : { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || '3306') }),
    user: decodeURIComponent(username),
    password,
    database: decodeURIComponent(pathname.slice(1)),
    connectTimeout: connectTimeoutMs,
    ...(searchParams.get('ssl') === 'true' ? { ssl: {} } : {}),
    rowsAsArray: true,
    // Bytes, whatever the type: the driver makes no date or number. Only the text protocol has every value as text.
    typeCast: (field) => field.buffer(),
  }
  try {
    const connection = await createConnection(options)
    // A connection that breaks between two statements fails the next.
    connection.on('error', () => undefined)
    return connection
  } catch (error) {
    throw connectionError('MySQL', url, error)
  }
}

const syntaxErrorOfOldServers = 1064

async function prepare(connection: Connection): Promise<void> {
  // Texts come as they are stored. SET NAMES binary would do so too, but mysql2 then sends each statement in Latin-1.
  await connection.query('set character_set_results = null')
  await connection.query(`set time_zone = '+00:00'`)
  await connection.query('set session wait_timeout = 28800')
  try {
    await connection.query('set session transaction read only')
  } catch (error) {
    // MySQL 5.5 and older have no such mode. The statements here read all the same.
    if (!(error instanceof Error && 'errno' in error && error.errno === syntaxErrorOfOldServers)) throw error
  }
}

const numberTypes = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'float', 'double', 'year', 'bit'])

async function readCatalogue(connection: Connection): Promise<Catalogue> {
  const rows = await cellsOf(
    connection,
    `select table_name, column_name, data_type, character_set_name from information_schema.columns
     where table_schema = database() order by table_name, ordinal_position`,
    [],
  )
  const catalogue = new Map<string, Map<string, Field>>()
  for (const row of rows) {
    const [table = '', name = '', type = '', charset = ''] = row.map((cell) => cell?.toString() ?? '')
    if (!quotesNothing(table) || !quotesNothing(name)) continue
    const fields = catalogue.get(table) ?? new Map<string, Field>()
    catalogue.set(table, fields)
    const isNumber = numberTypes.has(type.toLowerCase())
    fields.set(name, { name, type: type.toLowerCase(), isNumber, charset: type === 'json' ? 'utf8mb4' : charset || null })
  }
  return catalogue
}

async function cellsOf(connection: Connection, text: string, values: readonly unknown[]): Promise<Cell[][]> {
  try {
    const [rows] = await connection.query<(Cell[] & RowDataPacket)[]>(text, [...values])
    return rows
  } catch (error) {
    throw connectionError('MySQL', null, error)
  }
}

const wholeNumber = /^-?\d{1,20}$/
const charsetName = /^\w+$/

const grammar: Grammar = {
  table: quoted,
  column: ({ name }) => quoted(name),
  // A bit field would come as bytes of the number.
  bytes: ({ name, type }) => (type === 'bit' ? `${quoted(name)} + 0` : quoted(name)),
  text: (expression) => expression,
  value: valueOf,
  isAmong: (field, among, values) => `${quoted(field.name)} in (${among.map((one) => valueOf(field, one, values)).join(', ')})`,
  isAfter,
}

/**
 * A value that compares as the column does: a number as one, a text with the charset of the column, whose collation then counts and whose
 * index serves. mysql2 writes bytes as `X'…'`, in which nothing can end the text.
 */
function valueOf({ name, isNumber, charset, type }: Field, value: Buffer, values: unknown[]): string {
  if (isNumber) {
    const digits = value.toString('latin1')
    values.push(wholeNumber.test(digits) ? BigInt(digits) : value)
    return wholeNumber.test(digits) ? '?' : 'cast(_latin1 ? as decimal(65, 30))'
  }
  values.push(value)
  if (/blob|binary/.test(type)) return '?'
  if (charset !== null && !charsetName.test(charset)) throw new Error(`${name} has the charset ${charset}`)
  return `_${charset ?? 'latin1'} ?`
}

/** Written out, because MySQL uses no index for `(a, b) > (1, 2)`. */
function isAfter([first, ...others]: readonly KeyValue[], values: unknown[]): string {
  if (!first) throw new Error('A page has a key')
  const column = quoted(first.field.name)
  const value = () => valueOf(first.field, first.value, values)
  if (others.length === 0) return `${column} > ${value()}`
  const [least, greater, same] = [value(), value(), value()]
  return `(${column} >= ${least} and (${column} > ${greater} or (${column} = ${same} and ${isAfter(others, values)})))`
}

function quoted(name: string): string {
  return `\`${name}\``
}
