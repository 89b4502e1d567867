import { expect, test } from 'vitest'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { transact } from '#base/server/database/database.ts'
import { perProgram } from '#base/server/program.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as setting from '#setting/server/setting.ts'

const [one, other] = [await aForum({ isOneServer: true }), await aForum({ isOneServer: true })]

test('two forums in one process have their own settings, and neither clears the caches of the other', async () => {
  let reads = 0
  const counted = cachedValue('setting', async () => ++reads)
  expect([await counted.of(one.database.app), await counted.of(other.database.app)]).toEqual([1, 2])
  await transact(one.database, (tx) => applySettings(tx, { title: 'One' }))
  await transact(other.database, (tx) => applySettings(tx, { title: 'Other' }))
  expect((await setting.all(one.database.reader)).title).toBe('One')
  expect((await setting.all(other.database.reader)).title).toBe('Other')
  await counted.of(other.database.app)
  await transact(one.database, async (tx) => invalidate(tx, 'setting'))
  expect([await counted.of(other.database.app), await counted.of(one.database.app)]).toEqual([3, 4])
})

test('a value of a program is one for all of its pools and transactions', async () => {
  const valueOf = perProgram(() => ({}))
  const { app, reader, longRunning } = one.database
  const own = valueOf(app)
  expect([valueOf(reader), valueOf(longRunning.app)].every((value) => value === own)).toBe(true)
  await transact(one.database, async (tx) => expect(valueOf(tx)).toBe(own))
  expect(valueOf(other.database.app)).not.toBe(own)
})

test('rows are dropped by the tags of their own program alone', async () => {
  const cacheOf = rowCache<string>({ most: 10, freshMs: 60_000 })
  for (const { database } of [one, other])
    await cacheOf(database.app).load(
      async () => 'mei',
      (name) => [['1', name, ['member:1']]],
    )
  await transact(one.database, async (tx) => invalidate(tx, 'member:1'))
  expect([cacheOf(one.database.app).get('1'), cacheOf(other.database.app).get('1')]).toEqual([undefined, 'mei'])
})
