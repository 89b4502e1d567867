import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const { database, ownerUrl, close } = await freshDatabase()
afterAll(close)

const rows = ['spoon', 'kettle'].map((name) => ({ name, value: '1', changed_by: 'us' }))
await transact(database, async (tx) => void (await tx.insertInto('setting').values(rows).execute()))

type Wanted = { name: string; isKnown: boolean }

/** A statement that nothing has built yet, and how often it was built. */
function aStatement() {
  let builds = 0
  const settingNamed = statement((db, { name, isKnown }: Parameters<Wanted>) => {
    builds++
    return db
      .selectFrom('setting')
      .select(['name', 'value'])
      .where('name', '=', name)
      .where(sql<boolean>`${isKnown}::boolean`)
  })
  return { settingNamed, builds: () => builds }
}

test('a statement is built once, and filled with its values at each call', async () => {
  const { settingNamed, builds } = aStatement()
  const found = (name: string, isKnown = true) => settingNamed(database.reader, { name, isKnown })
  expect(await found('spoon')).toEqual([{ name: 'spoon', value: 1 }])
  expect(await found('kettle')).toEqual([{ name: 'kettle', value: 1 }])
  expect(await found('kettle', false)).toEqual([])
  expect(builds()).toBe(1)
})

test('it runs in a transaction, which sees its own rows', async () => {
  const { settingNamed } = aStatement()
  const seen = transact(database, async (tx) => {
    await tx.insertInto('setting').values({ name: 'cup', value: '2', changed_by: 'us' }).execute()
    return settingNamed(tx, { name: 'cup', isKnown: true })
  })
  expect(await seen).toEqual([{ name: 'cup', value: 2 }])
})

test('another program builds its own, since its features may differ', async () => {
  const { settingNamed, builds } = aStatement()
  await settingNamed(database.reader, { name: 'spoon', isKnown: true })
  const other = openDatabase(addressesOf(ownerUrl), { onLost: () => undefined })
  expect(await settingNamed(other.reader, { name: 'spoon', isKnown: true })).toHaveLength(1)
  expect(builds()).toBe(2)
  await other.close()
})
