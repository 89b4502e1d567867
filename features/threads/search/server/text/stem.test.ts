import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'
import { porterStem, stemOf } from '#search/server/text/stem.ts'

const store = await freshDatabase()
afterAll(() => store.close())

const endings =
  ' s es ed ing ings ingly edly ly ness ful fulness ation ations ization ative iveness ical ically ement ence able ibility ous ously alism er y ies'

test('an English word has the stem that PostgreSQL gives it: every word of the sample community, with every ending', async () => {
  const folder = new URL('../../../../../database/sample/topics/', import.meta.url)
  const text = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const roots = [
    ...new Set(
      text
        .join(' ')
        .toLowerCase()
        .match(/\b[a-z]{3,}\b/g),
    ),
  ]
  const words = roots.flatMap((root) => endings.split(' ').map((ending) => root + ending))
  const { rows } = await sql<{ word: string; stem: string | null }>`
    select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${words}::text[]) as word`.execute(store.database.reader)
  // Invented words have no stem there.
  const other = rows
    .filter(({ word, stem }) => stem && stem !== porterStem(word))
    .map(({ word, stem }) => `${word}: ${stem}, not ${porterStem(word)}`)
  expect(words.length).toBeGreaterThan(40_000)
  expect(other).toEqual([])
})

test('forms that no rule brings together are one word too', () => {
  expect(['knives', 'broken', 'burnt', 'went', 'mice'].map(stemOf)).toEqual(['knife', 'break', 'burn', 'go', 'mouse'].map(stemOf))
})

test('a text other than English letters stays as it is', () => {
  expect(['c++', 'naïve', '40', 'as', 'привет'].map(stemOf)).toEqual(['c++', 'naïve', '40', 'as', 'привет'])
})
