import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { preflight } from '#apps/server/preflight.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { startEmbedded, type EmbeddedDatabase } from '#base/server/postgres/embedded.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { withDatabase } from '#base/testing/database.ts'
import { startOtherPostgres, type OtherPostgres } from '#base/testing/other-postgres.ts'
import * as folders from '#favourite/server/folders.ts'
import { topSearches } from '#statistic/server/searches.ts'
import { clientsOf } from '#statistic/server/people.ts'
import { migrate } from '#database/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-collations-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
let servers: Record<'bundled' | 'older', EmbeddedDatabase | OtherPostgres>

beforeAll(async () => {
  servers = { bundled: await startEmbedded(join(folder, 'bundled'), quiet), older: await startOtherPostgres(join(folder, 'older')) }
  afterFile(async () => {
    await servers.older.stop()
    await servers.bundled.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})

const kinds = {
  'libc C': `locale_provider libc locale 'C'`,
  'libc C.UTF-8': `locale_provider libc locale 'C.UTF-8'`,
  'ICU Chinese by sound': `locale_provider icu icu_locale 'zh-Hans-CN' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
  'ICU English': `locale_provider icu icu_locale 'en-US' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
}

// Each sorts otherwise by code point, by sound, by strokes, without case, and without punctuation.
const names = ['绿茶', '白茶', '乌龙', 'Äpfel', 'apple', 'Banana', 'a-b', 'ab', 'a b', '红茶', '123', '茶', 'ÿ', '😀', '阿里山', '一']
const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'with %s, names and tags are sorted as in the embedded database, on both versions',
  async (kind) => {
    for (const [version, { ownerUrl }] of Object.entries(servers)) {
      const url = await newDatabase(ownerUrl, `sorted_${Object.keys(kinds).indexOf(kind)}`, kinds[kind])
      await migrate(url)
      expect(await preflight(url)).toEqual([])
      expect(await listsOn(url), version).toEqual({ folders: sorted, searches: sorted, clients: sorted })
    }
  },
)

test('the database itself sorts these names in another order for each locale, so the lists say theirs', async () => {
  const orders = await Promise.all(
    Object.entries(kinds).map(async ([, locale], place) => {
      const url = await newDatabase(servers.older.ownerUrl, `plain_${place}`, locale)
      return (await ask(url, `select string_agg(name, ',' order by name) as names from unnest($1::text[]) as name`, [names]))[0]
    }),
  )
  expect(new Set(orders.map((order) => JSON.stringify(order))).size).toBe(3)
})

async function newDatabase(ownerUrl: string, name: string, locale: string): Promise<string> {
  await ask(ownerUrl, `create database ${name} template template0 encoding 'UTF8' ${locale}`)
  return withDatabase(ownerUrl, name)
}

async function ask(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text, values)
  await client.end()
  return rows
}

/** The lists of the product that are sorted by a text. */
async function listsOn(url: string): Promise<Record<string, string[]>> {
  await ask(
    url,
    `with mei as (insert into member (account, account_key) values ('mei', 'mei') returning id)
     insert into favourite_folder (member_id, name) select id, name from mei, unnest($1::text[]) as name`,
    [names],
  )
  await ask(url, `insert into day_search (day, words, people) select current_date, words, 5 from unnest($1::text[]) as words`, [names])
  await ask(
    url,
    `insert into day_client (day, kind, name, views) select current_date, 'browser', name, 5 from unnest($1::text[]) as name`,
    [names],
  )
  const database = openDatabase(addressesOf(url), { features, size: 2, minSize: 0, onLost: () => undefined })
  try {
    const { id } = await database.reader.selectFrom('member').select('id').where('account', '=', 'mei').executeTakeFirstOrThrow()
    const range = { first: '2000-01-01', last: '2100-01-01', days: 36_525, isToToday: true }
    return {
      folders: (await folders.of(database.reader, id, { all: true })).map(({ name }) => name),
      searches: (await topSearches(database.reader, range)).map(({ words }) => words),
      clients: (await clientsOf(database.reader, range)).map(({ name }) => name),
    }
  } finally {
    await database.close()
  }
}
