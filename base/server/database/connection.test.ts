import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'

const { database, ownerUrl, close } = await freshDatabase()
const outside = new pg.Client({ connectionString: ownerUrl })
await outside.connect()
await outside.query('create table line (text text primary key)')
await outside.query('grant select, insert, delete on line to teahouse_app')
afterAll(async () => {
  await outside.end()
  await close()
})
beforeEach(() => outside.query('truncate line'))

const write = (tx: Db, text: string) => sql`insert into line values (${text})`.execute(tx)
const writeLast = (tx: Db, text: string) => sql`/* with the commit */ insert into line values (${text})`.execute(tx)
const transaction = <T>(action: (tx: Db) => Promise<T>) => database.app.transaction().execute(action)

async function lines(): Promise<string[]> {
  const { rows } = await outside.query<{ text: string }>('select text from line order by text')
  return rows.map(({ text }) => text)
}

test('all of a transaction is there once it has ended, and nothing of it before', async () => {
  await transaction(async (tx) => {
    await write(tx, 'first')
    expect(await lines()).toEqual([])
    await writeLast(tx, 'last')
  })
  expect(await lines()).toEqual(['first', 'last'])
})

test('a last statement that is refused leaves nothing, and its refusal is reported', async () => {
  await outside.query(`insert into line values ('taken')`)
  const failing = transaction(async (tx) => {
    await write(tx, 'first')
    await writeLast(tx, 'taken')
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await lines()).toEqual(['taken'])
})

test('a transaction may be nothing but its last statement, or nothing at all', async () => {
  await transaction((tx) => writeLast(tx, 'alone'))
  expect(await transaction(async () => 'nothing')).toBe('nothing')
  expect(await lines()).toEqual(['alone'])
})

test.each<[string, (tx: Db) => Promise<unknown>]>([
  ['before its first statement', async () => undefined],
  ['after its first statement', (tx) => write(tx, 'first')],
  ['with its last statement still to be sent', (tx) => writeLast(tx, 'last')],
])('an action that fails %s leaves nothing, and its connection is as good as before', async (_, begin) => {
  const failing = transaction(async (tx) => {
    await begin(tx)
    throw new Error('No')
  })
  await expect(failing).rejects.toThrow('No')
  await transaction((tx) => write(tx, 'next'))
  expect(await lines()).toEqual(['next'])
})

test('a first statement that is refused ends its transaction', async () => {
  await expect(transaction((tx) => sql`select 1 / 0`.execute(tx))).rejects.toMatchObject({ code: '22012' })
  await transaction((tx) => write(tx, 'next'))
  expect(await lines()).toEqual(['next'])
})

test('many at once keep their statements apart', async () => {
  const texts = Array.from({ length: 100 }, (_, n) => String(1000 + n))
  await Promise.all(
    texts.map((text) =>
      transaction(async (tx) => {
        await write(tx, text)
        if (text.endsWith('7')) throw new Error('No')
        await writeLast(tx, `${text} too`)
      }).catch(() => undefined),
    ),
  )
  const expectedTexts = texts.filter((text) => !text.endsWith('7'))
  expect(await lines()).toEqual(expectedTexts.flatMap((text) => [text, `${text} too`]))
})

test('a statement used often is planned once, even after hundreds of others', async () => {
  const uses = await database.app.connection().execute(async (db) => {
    for (let n = 0; n < 600; n++) await sql`select ${n}::int as ${sql.ref(`once_${n}`)}`.execute(db)
    for (let n = 0; n < 10; n++) await sql`select ${n}::int as often`.execute(db)
    const { rows } = await sql<{ statement: string; uses: number }>`
      select statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements`.execute(db)
    return rows
  })
  expect(uses.find(({ statement }) => statement.endsWith('as often'))?.uses).toBe(10)
  expect(uses.length).toBe(400)
})
