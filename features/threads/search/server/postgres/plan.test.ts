import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { freshDatabase, invalidateNow } from '#base/testing/database.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import { search as searchCall } from '#search/contract.ts'
import { catchUp } from '#search/server/indexer.ts'
import { isCommon, candidateIds } from '#search/server/postgres/any-state.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { attachProgram, programOf } from '#base/server/program.ts'
import { countsTag } from '#search/server/postgres/shares.ts'
import { search } from '#search/server/search.ts'
import { storeWords } from '#search/server/spelling.ts'
import { suggest } from '#search/server/suggest.ts'
import { stemOf } from '#search/server/text/stem.ts'

const store = await freshDatabase()
const pool = new pg.Pool({ connectionString: store.ownerUrl, max: 1 })
const plans: string[] = []

// Explains each statement before it runs.
const explained: Db = new Kysely({
  dialect: new PostgresDialect({
    pool: {
      options: {},
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect()
        return {
          release: () => client.release(),
          async query(text: string, values: readonly unknown[]) {
            const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${text}`, [...values])
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
            return client.query(text, [...values])
          },
        } as never
      },
    },
  }),
})
attachProgram(explained, programOf(store.database.app))

const large = /Seq Scan on (search_any|search_entry|search_word|topic|comment|reply|member)\b/

beforeAll(async () => {
  await seedBulk(store, 12_000, () => undefined)
  await catchUp(store.database, postgresEngine)
  for (let from = 0; from < 20_000; from += 5_000) {
    const words = Array.from({ length: 5_000 }, (_, number) => spelled(from + number))
    await transact(store.database, (tx) => storeWords(tx, words))
  }
  const owner = new pg.Client({ connectionString: store.ownerUrl })
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
  invalidateNow(store.database, countsTag)
})
afterAll(async () => {
  await explained.destroy()
  await store.close()
})

const visitor = { id: null, may: () => true, where: () => ({ except: ['999999'] }), audience: '' }
const wishes = [
  { keyword: '缓存' },
  { keyword: '缓存 快了不少' },
  { keyword: 'keyboard' },
  { keyword: 'keyboa' },
  { keyword: '茶' },
  { keyword: '"it got faster"' },
  { keyword: 'keybord' },
  { keyword: 'quixotic zephyr' },
  { keyword: '缓存', sort: 'newest' },
  { keyword: '缓存', sort: 'replies' },
  { keyword: '缓存', kind: 'topic', within: 'year', pictures: true },
] as const

test.each(wishes)('looking for %j reads no large table from end to end', async (wish) => {
  plans.length = 0
  const { hits } = await search(explained, postgresEngine, visitor, searchCall.input.parse(wish))
  expect(hits.length).toBeGreaterThanOrEqual(wish.keyword.startsWith('qui') || 'pictures' in wish ? 0 : 1)
  expect(plans.some((plan) => plan.includes('search_entry'))).toBe(true)
  expect(plans.filter((plan) => large.test(plan))).toEqual([])
})

test('suggesting reads no large table from end to end', async () => {
  plans.length = 0
  for (const keyword of ['缓', '缓存', 'keyb', 'zj']) await suggest(explained, postgresEngine, visitor, keyword)
  expect(plans.filter((plan) => large.test(plan))).toEqual([])
})

test('a search of staff reads no large table from end to end, in posts of any state', async () => {
  plans.length = 0
  for (const keyword of ['缓存', 'keyb', 'quixotic zephyr']) {
    await sql`select id from comment where id in (${candidateIds('comment', keyword) ?? sql`null`})`.execute(explained)
    await isCommon(explained, 'comment', keyword)
  }
  expect(plans.every((plan) => plan.includes('search_any_words'))).toBe(true)
  expect(plans.filter((plan) => large.test(plan))).toEqual([])
})

test('a common word is looked for in the newest weeks alone, and a rare one in few scans of all of time', async () => {
  expect(await scansFor('不少')).toBeLessThan(6)
  expect(await scansFor('quixotic')).toBeLessThan(3)
})

test('the newest hits are the newest of all, in however many slices of time', async () => {
  for (const keyword of ['缓存', '黄山', 'dolomites']) {
    const { hits, isMore } = await search(
      explained,
      postgresEngine,
      visitor,
      searchCall.input.parse({ keyword, sort: 'newest', kind: 'comment' }),
    )
    const { rows } = await sql<{ key: string }>`
      select key from search_entry where kind <> 'topic' and ${`{${stemOf(keyword)}}`}::text[] && array(
        select substr(lexeme, 4) from unnest(words)) order by published_at desc limit ${hits.length}`.execute(store.database.app)
    expect([keyword, hits.length, isMore]).toEqual([keyword, 15, true])
    expect(hits.map(({ kind, id }) => `${kind}-${id}`)).toEqual(rows.map(({ key }) => key))
  }
})

/** How many slices of time are read for a word. */
async function scansFor(keyword: string): Promise<number> {
  plans.length = 0
  await search(explained, postgresEngine, visitor, searchCall.input.parse({ keyword, kind: 'comment' }))
  return Number(/Bitmap Index Scan on search_entry_words .*loops=(\d+)/.exec(plans.join('\n'))?.[1])
}

// A unique word.
function spelled(number: number): string {
  return `z${[...number.toString().padStart(5, '0')].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`
}
