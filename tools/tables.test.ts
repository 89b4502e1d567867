import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'
import { guardsText } from '#database/guards.ts'
import { featureFiles } from './feature-lists.ts'
import { textOf } from './repository.ts'
import { tablesText } from './tables-text.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client

beforeAll(async () => {
  fresh = await freshDatabase()
  owner = new pg.Client({ connectionString: fresh.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await fresh.close()
})

test.each([...featureFiles()])('%s lists the files in the folders of features', (path, text) => {
  expect(textOf(path), 'run `npm run tables`').toBe(text)
})

test('database/tables.ts equals the tables the migrations make', async () => {
  const written = readFileSync(new URL('../database/tables.ts', import.meta.url), 'utf8')
  expect(await tablesText(owner), 'run `npm run tables`').toBe(written)
})

test('database/guards.txt lists the guards of money the migrations make', async () => {
  const written = readFileSync(new URL('../database/guards.txt', import.meta.url), 'utf8')
  expect(await guardsText(owner), 'run `npm run tables`').toBe(written)
})

test('every kind of column gets the type that the driver gives and takes', async () => {
  await owner.query(`
    create schema vault;
    create table vault.odd_one (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('it''s', 'b')),
      single text check (single in ('one')),
      words text[] not null default '{}',
      ids bigint[] not null,
      price numeric not null,
      until tstzrange,
      doubled int generated always as (2) stored,
      note jsonb,
      short text not null check (char_length(short) < 5)
    )`)
  const text = await tablesText(owner)
  await owner.query('drop schema vault cascade')
  const shape = /export interface VaultOddOne \{\n([^}]*)\}/
    .exec(text)?.[1]
    ?.split('\n')
    .map((line) => line.trim())
  expect(shape).toEqual([
    'id: Generated<Int8>',
    `kind: "it's" | 'b'`,
    `single: 'one' | null`,
    'words: Generated<string[]>',
    'ids: string[]',
    'price: Numeric',
    'until: string | null',
    'doubled: Computed<number | null>',
    'note: Nullable<Json>',
    'short: string',
    '',
  ])
  expect(text).toContain(`'vault.odd_one': VaultOddOne`)
})

test('a column of an unknown type is refused by name', async () => {
  await owner.query('create table strange (spot point)')
  await expect(tablesText(owner)).rejects.toThrow('strange.spot is of type point')
  await owner.query('drop table strange')
})
