import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { isUnavailable, openDatabase, transact, type Database } from '#base/server/database/database.ts'
import { listenerName, invalidate } from '#base/server/cache/invalidation.ts'
import { until } from '#base/testing/waits.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const { database: here, ownerUrl, close } = await freshDatabase()
const outside = new pg.Client({ connectionString: ownerUrl })
await outside.connect()
await here.invalidations.listen(() => undefined)
let invalidatedTags: unknown[] = []
here.invalidations.on((tags) => invalidatedTags.push(tags))
afterAll(async () => {
  await outside.end()
  await close()
})

/** Another process on the same database, as far as the database can tell. */
async function another({ listens = true } = {}): Promise<Database> {
  const database = openDatabase(addressesOf(ownerUrl), { size: 2, onLost: () => undefined })
  if (listens) await database.invalidations.listen(() => undefined)
  invalidatedTags = []
  return database
}

async function cutListeners(): Promise<void> {
  await outside.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [listenerName],
  )
}

test('an invalidation right before a program ends reaches the others', async () => {
  const there = await another()
  await transact(there, async (tx) => invalidate(tx, 'topic:1', 'index'))
  await there.close()
  await expect.poll(() => invalidatedTags).toEqual([['topic:1', 'index']])
})

test('an invalidation reaches the others even if its process dies right after the commit', async () => {
  const there = await another({ listens: false })
  await there.app.transaction().execute(async (tx) => {
    invalidate(tx, 'setting')
    await there.invalidations.record(tx)
  })
  await expect.poll(() => invalidatedTags).toEqual([['setting']])
  await there.close()
})

test('an invalidation of a failed write reaches no one', async () => {
  const there = await another()
  const failing = transact(there, async (tx) => {
    invalidate(tx, 'topic:1')
    await sql`select 1 / 0`.execute(tx)
  })
  await expect(failing).rejects.toThrow('zero')
  await transact(there, async (tx) => invalidate(tx, 'topic:2'))
  await expect.poll(() => invalidatedTags).toEqual([['topic:2']])
  await there.close()
})

test('a write that began before another and is committed after it invalidates too', async () => {
  const there = await another()
  let commit = (): void => undefined
  const first = transact(there, async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    await new Promise<void>((resolve) => (commit = resolve))
    invalidate(tx, 'first')
  })
  await transact(there, async (tx) => invalidate(tx, 'second'))
  await expect.poll(() => invalidatedTags).toEqual([['second']])
  commit()
  await first
  await expect.poll(() => invalidatedTags).toEqual([['second'], ['first']])
  await there.close()
})

test('many writes at once each invalidate once', async () => {
  const there = await another()
  const tags = Array.from({ length: 300 }, (_, n) => `topic:${n}`)
  await Promise.all(tags.map((tag) => transact(there, async (tx) => invalidate(tx, tag))))
  await expect.poll(() => invalidatedTags.length).toBe(300)
  await transact(there, async (tx) => invalidate(tx, 'last'))
  await until(() => invalidatedTags.flat().includes('last'))
  expect(invalidatedTags.flat().toSorted()).toEqual(['last', ...tags].toSorted())
  await there.close()
})

test('a process does not get its own invalidations', async () => {
  const there = await another()
  invalidatedTags = []
  await transact(here, async (tx) => invalidate(tx, 'mine'))
  await transact(there, async (tx) => invalidate(tx, 'theirs'))
  await until(() => invalidatedTags.flat().includes('theirs'))
  expect(invalidatedTags).toEqual([['mine'], ['theirs']])
  await there.close()
})

test('a listener with a lost connection drops everything, and hears of later writes again', async () => {
  const there = await another()
  await cutListeners()
  await expect.poll(() => invalidatedTags).toContain('*')
  invalidatedTags = []
  await transact(there, async (tx) => invalidate(tx, 'topic:3'))
  await expect.poll(() => invalidatedTags.filter((tags) => tags !== '*')).toEqual([['topic:3']])
  await there.close()
})

test('while one line alone is broken, the database is not taken for away', async () => {
  await cutListeners()
  expect(await here.reader.selectFrom('setting').select('name').execute()).toBeInstanceOf(Array)
  await expect.poll(() => here.app.selectFrom('setting').selectAll().execute().catch(isUnavailable)).toBeInstanceOf(Array)
})

test('a process without a message in time knows that it has not caught up', async () => {
  await outside.query('begin')
  await outside.query('lock table invalidation')
  expect(await here.invalidations.catchUp()).toBe(false)
  await outside.query('commit')
  await until(() => here.invalidations.catchUp())
})

test('an old invalidation is deleted in time', async () => {
  await outside.query(`insert into invalidation (by, tags, at) values (gen_random_uuid(), '{old}', now() - interval '1 hour')`)
  const there = await another()
  const old = async () => (await outside.query(`select from invalidation where at < now() - interval '10 minutes'`)).rowCount
  await expect.poll(old).toBe(0)
  await there.close()
})
