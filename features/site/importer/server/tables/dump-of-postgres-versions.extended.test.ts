import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { withDatabase } from '#base/testing/database.ts'
import { dumpInto, startOtherPostgres } from '#base/testing/other-postgres.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { openPostgres } from '#importer/server/tables/postgres.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'
import { contractSql, testSourceTables } from '#importer/testing/source-tables-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-pg-dump-'))
const [copied, inserted] = [join(folder, 'copy.sql'), join(folder, 'insert.sql')]
const texts = fc.sample(fc.string({ unit: fc.constantFrom('a', '茶', '\\', "'", '\t', '\n', '\r', '\v', 'N', '.', '"', '😀', 'é') }), {
  numRuns: 300,
  seed: 1,
})
const wanted = (table: string) => table !== 'texts'
let live: { url: string; password: string }

beforeAll(async () => {
  const other = await startOtherPostgres(join(folder, 'data'))
  afterFile(async () => {
    await other.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const name of ['old', 'copy', 'inserts']) await run(other.ownerUrl, `create database ${name}`)
  const old = withDatabase(other.ownerUrl, 'old')
  await run(old, contractSql({ dateTime: 'timestamp', large: 'bigint' }))
  await run(old, 'create table texts (id integer generated always as identity primary key, body text, bytes bytea)')
  await run(old, 'insert into texts (body, bytes) select body, convert_to(body, $$UTF8$$) from unnest($1::text[]) body', [texts])
  await dumpInto(old, withDatabase(other.ownerUrl, 'copy'), copied)
  await dumpInto(old, withDatabase(other.ownerUrl, 'inserts'), inserted, '--inserts', '--rows-per-insert=7')
  const address = new URL(old)
  live = { password: decodeURIComponent(address.password), url: '' }
  address.password = ''
  live.url = address.href
})

describe('COPY of pg_dump', () => {
  testSourceTables(() => openDump(copied, { wanted }))
})

describe('INSERT of pg_dump', () => {
  testSourceTables(() => openDump(inserted, { wanted }))
})

test('any text and any bytes are the same live and in both dumps', async () => {
  for (const open of [() => openPostgres(live), () => openDump(copied), () => openDump(inserted)])
    expect(await textsIn(await open())).toEqual(texts)
})

async function textsIn(source: SourceTables): Promise<(string | undefined)[]> {
  const keys = [{ column: 'id', kind: 'number' }] as const
  const rows = await source.page('texts', { columns: ['body', 'bytes'], keys, after: null, limit: 1_000 })
  await source.close()
  for (const row of rows) expect(row['bytes']).toEqual(row['body'])
  return rows.map((row) => row['body']?.toString())
}

async function run(address: string, text: string, values?: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(text, values)
  await client.end()
}
