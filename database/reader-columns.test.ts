import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { readerRole } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { closedColumns, closedTables, openColumns } from '#database/reader-columns.ts'

const { database, ownerUrl, close } = await freshDatabase()
afterFile(close)

type Column = { column: string; isReadable: boolean; looksSecret: boolean }

// Sealed values and hashes are bytes, whatever their names.
async function columnsNow(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select concat(nullif(nspname, 'public') || '.', relname, '.', attname) as column,
      has_schema_privilege(${readerRole}, pg_namespace.oid, 'usage') and has_column_privilege(${readerRole}, pg_class.oid, attnum, 'select') as "isReadable",
      atttypid = 'bytea'::regtype or attname ~ '(hash|secret|code|seal|token|key|password|nonce|verifier|proof)'
        or coalesce(col_description(pg_class.oid, attnum), '') ~* 'secret' as "looksSecret"
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1`.execute(database.app)
  return rows
}

const columns = await columnsNow()

const namesIn = (list: object) =>
  Object.entries(list).flatMap(([table, its]: [string, readonly string[]]) => its.map((column) => `${table}.${column}`))

const closed = [
  ...columns.filter(({ column }) => closedTables.some((table) => column.startsWith(`${table}.`))).map(({ column }) => column),
  ...namesIn(closedColumns),
]
const open = openColumns.flatMap((one) => namesIn(one.columns))

const undecided = (all: readonly Column[]) =>
  all.filter(({ column, isReadable, looksSecret }) => isReadable && looksSecret && !open.includes(column)).map(({ column }) => column)

test('the reader selects no column that looks like a secret, unless the list says why', () => {
  expect(undecided(columns)).toEqual([])
})

test('a new column is found by its name, its type or its comment, until the list names it', async () => {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('create table tea_chest (id bigint, open_code text, lid bytea, label text, leaf text)')
  await owner.query("comment on column tea_chest.label is 'A secret that two people share.'")
  await owner.end()
  await migrate(ownerUrl)
  expect(undecided(await columnsNow())).toEqual(['label', 'lid', 'open_code'].map((column) => `tea_chest.${column}`))
})

test('the reader selects the columns that the list opens, all others of those tables, and none that the list closes', () => {
  const readable = new Set(columns.filter(({ isReadable }) => isReadable).map(({ column }) => column))
  expect(closed.filter((column) => readable.has(column))).toEqual([])
  expect(open.filter((column) => !readable.has(column))).toEqual([])
  const tables = Object.keys(closedColumns)
  const others = columns.filter(({ column }) => tables.includes(column.split('.')[0] ?? '') && !closed.includes(column))
  expect(others.filter(({ isReadable }) => !isReadable)).toEqual([])
})

test('the list names each column once, and only those that are there', () => {
  const all = [...closed, ...open]
  const there = new Set(columns.map(({ column }) => column))
  expect(all.filter((column) => !there.has(column))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

test.each(closed)('a query of %s is refused for the reader', async (name) => {
  const [table = '', column = ''] = name.split('.')
  await expect(sql`select ${sql.ref(column)} from ${sql.table(table)}`.execute(database.reader)).rejects.toThrow('permission denied')
})

test('the reader cannot look at a secret by another way: not in a condition, an order or a whole row', async () => {
  const ways = [
    sql`select id from member where password_hash like '$argon2%'`,
    sql`select id from member order by password_hash`,
    sql`select member from member`,
    sql`select * from member`,
    sql`select count(hash) from recovery_code`,
  ]
  for (const way of ways) await expect(way.execute(database.reader)).rejects.toThrow('permission denied')
  expect((await sql`select id, has_password from member where has_password`.execute(database.reader)).rows).toEqual([])
})
