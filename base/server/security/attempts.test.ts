import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as attempts from '#base/server/security/attempts.ts'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'

const { database, close } = await freshDatabase()
const db = database.app
afterAll(close)
beforeEach(() => db.deleteFrom('attempt').execute())

const key = 'test key'
const limits = [
  { key, most: 3, seconds: 60 },
  { key, most: 5, seconds: 3_600 },
]
const take = (its = limits) => transact(database, (tx) => attempts.take(tx, its))
const letPass = (seconds: number) =>
  db
    .updateTable('attempt')
    .set({ at: sql`at - ${seconds} * interval '1 second'` })
    .execute()

test('a key with enough attempts waits until the oldest expires, under the strictest limit', async () => {
  expect([await take(), await take(), await take()]).toEqual([0, 0, 0])
  const wait = await take()
  expect([wait > 50, wait <= 60]).toEqual([true, true])
  await letPass(61)
  expect(await attempts.retryAfter(db, limits)).toBe(0)
  expect([await take(), await take()]).toEqual([0, 0])
  await letPass(61)
  expect(await take()).toBeGreaterThan(3_000)
  await attempts.reset(db, key)
  expect(await take()).toBe(0)
})

test('asking counts nothing, and a refused attempt is not counted', async () => {
  await attempts.retryAfter(db, limits)
  for (let n = 0; n < 5; n++) await take()
  expect(await db.selectFrom('attempt').select('id').execute()).toHaveLength(3)
})

test('if one of several limits refuses, the others count nothing', async () => {
  const both = [
    { key, most: 3, seconds: 60 },
    { key: 'test network', most: 2, seconds: 86_400 },
  ]
  expect([await take(both), await take(both), (await take(both)) > 0, (await take(both)) > 0]).toEqual([0, 0, true, true])
  expect([await take(both.slice(0, 1)), (await take(both.slice(0, 1))) > 0]).toEqual([0, true])
})

test('an attempt that is given back leaves those before it, and other keys', async () => {
  await take()
  await take()
  await attempts.increment(db, ['test other', 'test third'])
  await transact(database, (tx) => attempts.undoLast(tx, [key, 'test other', 'test nothing']))
  const keys = (await db.selectFrom('attempt').select('key').orderBy('key').execute()).map((row) => row.key)
  expect(keys).toEqual([key, 'test third'])
})

test('a limit of none at all is never met, and other keys have limits of their own', async () => {
  expect(await take([{ key, most: 0, seconds: 60 }])).toBe(60)
  expect(await take([{ key: 'test other', most: 1, seconds: 60 }])).toBe(0)
  expect(await take([{ key: 'test other', most: 1, seconds: 60 }])).toBeGreaterThan(0)
  expect(await take()).toBe(0)
})

test('two hundred attempts at once are limited like those in sequence', async () => {
  const others = Array.from({ length: 200 }, (_, n) => (n % 2 ? limits : [...limits, { key: 'test a key before', most: 500, seconds: 60 }]))
  const waits = await Promise.all(others.map((its) => take(its)))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3)
})

test('all addresses of an IPv6 network are one, however they are written', () => {
  const keys = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6'].map((ip) => attempts.networkKey('login', ip))
  expect(new Set(keys).size).toBe(1)
  expect(attempts.networkKey('login', '2001:db8:1:3::1')).not.toBe(keys[0])
  expect(attempts.networkKey('login', '::ffff:10.0.0.1')).toBe(attempts.networkKey('login', '10.0.0.1'))
})
