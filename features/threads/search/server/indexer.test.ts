import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { until } from '#base/testing/waits.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import type { Engine, Entry, Key } from '#search/server/engine.ts'
import { catchUp, startIndexer } from '#search/server/indexer.ts'
import { openSearchEngine } from '#search/server/opensearch/engine.ts'
import { aSearchServer } from '#search/testing/opensearch.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { rebuild } from '#search/server/rebuild.ts'

const store = await freshDatabase()
const { database } = store
const log = pino({ level: 'silent' })
const posts = 500 + 100 + 25

beforeAll(() => seedBulk(store, 500, () => undefined))
afterAll(() => store.close())

test('two processes at once enter every post, each once', async () => {
  await drain(postgresEngine)
  await changeAll()
  const entered: Key[] = []
  const noting = withWrite(async (entries) => void entered.push(...entries.map(({ key }) => key)))
  await Promise.all([drain(noting), drain(noting)])
  expect(entered).toHaveLength(posts)
  expect(new Set(entered).size).toBe(posts)
  expect(await keys()).toHaveLength(posts)
})

test('an entry that an engine fails to take is indexed later', async () => {
  await changeAll()
  let failures = 0
  const failing = withWrite(async () => {
    if (++failures < 3) throw new Error('no room')
  })
  await expect(catchUp(database, failing)).rejects.toThrow('no room')
  expect(await changes()).toBeGreaterThanOrEqual(posts)
  const keeping = startIndexer({ database, engine: failing, log })
  await expect.poll(changes).toBe(0)
  await keeping.stop()
  expect(await keys()).toHaveLength(posts)
})

test('a crash between entering and committing loses nothing', async () => {
  await changeAll()
  const before = await changes()
  const dying = withWrite(async () => {
    throw new Error('killed')
  }, 'after')
  await expect(catchUp(database, dying)).rejects.toThrow('killed')
  expect(await changes()).toBe(before)
  await drain(postgresEngine)
  expect(await keys()).toHaveLength(posts)
})

test('an indexer stops in the midst of much work', async () => {
  await changeAll()
  const begun = Promise.withResolvers<void>()
  const keeping = startIndexer({ database, engine: withWrite(async () => begun.resolve()), log })
  await begun.promise
  await keeping.stop()
  await drain(postgresEngine)
  expect(await changes()).toBe(0)
})

test('a rebuild indexes all posts anew, and removes entries without a post', async () => {
  const nothing = { marks: [], furtherTagIds: [], hasPictures: false, title: [], strong: [], typed: [] }
  const stray: Entry = {
    key: 'comment-999999',
    kind: 'comment',
    topicId: '1',
    tagId: '1',
    authorId: '1',
    publishedAt: new Date(),
    words: ['stray'],
    ...nothing,
  }
  await transact(database, (tx) => postgresEngine.write(tx, [stray], []))
  await database.app
    .updateTable('search_entry')
    .set({ written_at: new Date(0) })
    .where('key', '=', stray.key)
    .execute()
  const progress: number[] = []
  expect(await rebuild(database, postgresEngine, { onProgress: (count, of) => void progress.push(count / of) })).toBeGreaterThan(0)
  expect(progress.at(-1)).toBe(1)
  expect(await keys()).toHaveLength(posts)
})

test('counts of weeks are those of the entries', async () => {
  const { count } = await database.app
    .selectFrom('search_week')
    .select((row) => row.fn.sum<string>('entries').as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(posts)
})

test('another engine is filled by itself, and so is the former one when it comes back', async () => {
  const server = await aSearchServer()
  const other = openSearchEngine(server.url)
  for (const engine of [other, postgresEngine]) {
    const keeping = startIndexer({ database, engine, log })
    await expect.poll(async () => [(await engine.shares(database.app, [])).entries, await changes()]).toEqual([posts, 0])
    await keeping.stop()
  }
  await server.close()
})

function withWrite(action: (entries: readonly Entry[]) => Promise<void>, when: 'before' | 'after' = 'before'): Engine {
  return {
    ...postgresEngine,
    async write(tx, entries, removedKeys) {
      if (when === 'before') await action(entries)
      await postgresEngine.write(tx, entries, removedKeys)
      if (when === 'after') await action(entries)
    },
  }
}

async function drain(engine: Engine): Promise<void> {
  await until(async () => {
    await catchUp(database, engine)
    return (await changes()) === 0
  })
}

async function changeAll(): Promise<void> {
  for (const kind of ['topic', 'comment', 'reply'] as const)
    await database.app
      .insertInto('search_change')
      .columns(['kind', 'source_id'])
      .expression((query) => query.selectFrom(kind).select([(row) => row.val(kind).as('kind'), 'id']))
      .execute()
}

async function changes(): Promise<number> {
  return (await database.app.selectFrom('search_change').select('number').execute()).length
}

async function keys(): Promise<string[]> {
  return (await database.app.selectFrom('search_entry').select('key').execute()).map(({ key }) => key)
}
