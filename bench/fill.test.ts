import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { distinctTexts } from '#database/bulk/rows.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { rebuild } from '#search/server/rebuild.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { fillInSets } from './fill.ts'

const store = await freshDatabase()
const client = new pg.Client({ connectionString: store.ownerUrl })
await client.connect()
const before = await shape()
// The texts of some comments are copies, and so are those of replies to them.
await fillInSets(store, distinctTexts + 1500)

afterAll(async () => {
  await client.end()
  await store.close()
})

test('a forum filled in sets has every index and foreign key', async () => {
  expect(await shape()).toEqual(before)
})

test('its counters and its ledger are right', async () => {
  expect(await counterMismatches(store.database.app)).toEqual([])
  expect(await newestMismatches(store.database.app)).toEqual([])
  expect(await checkLedger(store.database, bookChecks, { isFull: true })).toEqual([])
})

test('its search index equals the product’s index of the same posts', async () => {
  expect(await ask('select * from search_change')).toEqual([])
  const filled = await index()
  await rebuild(store.database, postgresEngine, { onProgress: () => undefined })
  expect(await index()).toEqual(filled)
})

function index(): Promise<unknown[]> {
  return ask(`
    select key, kind, topic_id, tag_id, published_at, core::text, words::text from search_entry
    union all select 'any-' || kind || source_id, kind, null, null, null, null, words::text from search_any
    union all select 'week-' || week, null, null, null, null, null, entries::text from search_week
    union all select 'word-' || word, null, null, null, null, null, slips::text from search_word
    order by 1`)
}

function shape(): Promise<unknown[]> {
  return ask(`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid >= 16384
    union all select conrelid::regclass || conname || pg_get_constraintdef(oid) from pg_constraint where conrelid >= 16384
    order by 1`)
}

async function ask(question: string): Promise<unknown[]> {
  return (await client.query(question)).rows
}
