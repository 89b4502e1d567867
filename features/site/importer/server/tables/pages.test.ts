import { expect, test } from 'vitest'
import { openDump } from '#importer/server/tables/dump.ts'
import { numberKeys, pagesOf } from '#importer/server/tables/pages.ts'
import { text } from '#importer/server/tables/source-tables.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'

const { write } = dumpFolder()
const read = { table: 'post', columns: ['id', 'body'], keys: numberKeys('id') }

async function tablesWith(bodies: readonly string[]) {
  const rows = bodies.map((body, index) => `INSERT INTO post VALUES (${index + 1},'${body}');`)
  return openDump(
    write('posts.sql', ['CREATE TABLE post (`id` int NOT NULL, `body` longtext NOT NULL, PRIMARY KEY (`id`));', ...rows].join('\n')),
  )
}

async function pagesFrom(bodies: readonly string[], after: string | null = null) {
  const tables = await tablesWith(bodies)
  const pages = []
  for await (const page of pagesOf(tables, { ...read, perPage: 4 }, after, (rows) => rows.map((row) => text(row, 'id', String))))
    pages.push(page)
  await tables.close()
  return pages
}

const long = 'x'.repeat(3_000_000)

test('pages have as many rows as are asked for, and fewer where rows are long', async () => {
  expect((await pagesFrom(Array.from({ length: 9 }, () => 'x'))).map(({ rows }) => rows.length)).toEqual([4, 4, 1])
  const pages = await pagesFrom(['x', long, long, 'x', 'x', 'x', 'x', 'x', 'x'])
  expect(pages.map(({ rows }) => rows)).toEqual([
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
    ['7', '8', '9'],
  ])
  expect(await pagesFrom([])).toEqual([])
})

test('a page goes on behind the cursor of each before it', async () => {
  const bodies = ['x', long, long, long, 'x']
  const all = await pagesFrom(bodies)
  for (const [index, { cursor }] of all.entries())
    expect((await pagesFrom(bodies, cursor)).flatMap(({ rows }) => rows)).toEqual(all.slice(index + 1).flatMap(({ rows }) => rows))
})
