import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { forEachWithSavepoint } from '#base/server/database/with-savepoint.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'

const self = randomUUID()
const Odd = refusal('base.missing')

let store: TestDatabase
beforeAll(async () => {
  store = await freshDatabase()
})
afterAll(() => store.close())

test('a refused item has written nothing, and the others stay done, each once and the oldest first', async () => {
  const { done, refused } = await transact(store.database, (tx) =>
    forEachWithSavepoint(
      tx,
      ['10', '9', '3', '10', '4'],
      (id) => id,
      async (id) => {
        await sql`insert into invalidation (by, tags) values (${self}, ${[id]})`.execute(tx)
        if (Number(id) % 2 > 0) throw Odd()
        return `${id} done`
      },
    ),
  )
  expect(done.map(({ result }) => result)).toEqual(['4 done', '10 done'])
  expect(refused.map(({ one, refusal: { kind } }) => [one, kind.code])).toEqual([
    ['3', 'base.missing'],
    ['9', 'base.missing'],
  ])
  const { rows } = await sql<{ tag: string }>`select tags[1] as tag from invalidation where by = ${self} order by tags[1]`.execute(
    store.database.app,
  )
  expect(rows.map(({ tag }) => tag)).toEqual(['10', '4'])
})

test('a fault that is no refusal ends all of it', async () => {
  const broken = transact(store.database, (tx) => forEachWithSavepoint(tx, ['1'], String, () => Promise.reject(new TypeError('broken'))))
  await expect(broken).rejects.toThrow(TypeError)
})
