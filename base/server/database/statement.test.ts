import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { addressesOf } from '#database/migrate.ts'

const { database, ownerUrl, close } = await freshDatabase()
afterAll(close)

let builds = 0
const settingNamed = statement((db, { name, isKnown }: Parameters<{ name: string; isKnown: boolean }>) => {
  builds++
  return db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', '=', name)
    .where(sql<boolean>`${isKnown}::boolean`)
})

test('a statement is built once, and filled with its values at each call', async () => {
  const rows = ['spoon', 'kettle'].map((name) => ({ name, value: '1', changed_by: 'us' }))
  await transact(database, async (tx) => void (await tx.insertInto('setting').values(rows).execute()))
  builds = 0
  const found = (name: string, isKnown = true) => settingNamed(database.reader, { name, isKnown })
  expect(await found('spoon')).toEqual([{ name: 'spoon', value: 1 }])
  expect(await found('kettle')).toEqual([{ name: 'kettle', value: 1 }])
  expect(await found('kettle', false)).toEqual([])
  expect(builds).toBe(1)
})

test('it runs in a transaction, which sees its own rows', async () => {
  const seen = transact(database, async (tx) => {
    await tx.insertInto('setting').values({ name: 'cup', value: '2', changed_by: 'us' }).execute()
    return settingNamed(tx, { name: 'cup', isKnown: true })
  })
  expect(await seen).toEqual([{ name: 'cup', value: 2 }])
})

test('another program builds its own, since its features may be others', async () => {
  const other = openDatabase(addressesOf(ownerUrl), { onLost: () => undefined })
  builds = 0
  expect(await settingNamed(other.reader, { name: 'spoon', isKnown: true })).toHaveLength(1)
  expect(builds).toBe(1)
  await other.close()
})
