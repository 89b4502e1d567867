import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { bigint, dateTime, flag, integer, keysOf, text } from '#importer/server/tables/source-tables.ts'
import type { Key, Row, SourceTables } from '#importer/server/tables/source-tables.ts'

/** What is in the database: a table `note` of many rows with keys of all kinds, and one row with values of all kinds in `kinds`. */
export const contractSql = (types: { dateTime: string; large: string }): string => `
create table note (id integer not null, forum integer not null, place integer not null, code varchar(40) not null, title text);
insert into note (id, forum, place, code, title) values
${notes.map(({ id, forum, place, code, title }) => `(${id}, ${forum}, ${place}, '${code}', '${title}')`).join(',\n')};
create table kinds (id integer not null, gone text, negative integer, large ${types.large}, price decimal(20,2), written ${types.dateTime}, shown boolean, body text);
insert into kinds (id, gone, negative, large, price, written, shown, body)
values (1, null, -5, 9223372036854775807, 12.50, '2026-11-29 10:11:12', true, '茶 ''x''');
create table empty (id integer not null);
`

type Note = { id: number; forum: number; place: number; code: string; title: string }

// Keys collide in each column, but never in the pair of forum and place, nor in the code.
const notes: Note[] = Array.from({ length: 1_500 }, (_, n) => ({
  id: (n * 7919) % 1_500,
  forum: n % 7,
  place: Math.floor(n / 7) - 20,
  code: `k${(n * 31) % 1_500}`,
  title: `Note ${n}`,
}))

const number = (column: string): Key => ({ column, kind: 'number' })
const decode = (bytes: Buffer) => bytes.toString()

/** The promises of SourceTables, over a database that holds `contractSql`. */
export function testSourceTables(open: () => Promise<SourceTables>): void {
  let opened: SourceTables
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  const source = () => opened
  testCells(source)
  testPages(source)
  testConditions(source)
}

function testCells(source: () => SourceTables): void {
  test('tables and columns have their names', async () => {
    expect((await source().tables()).toSorted()).toEqual(['empty', 'kinds', 'note'])
    const columns = await source().columns('note')
    expect(columns.map(({ name }) => name)).toEqual(['id', 'forum', 'place', 'code', 'title'])
    expect(columns.map(({ charset }) => charset?.slice(0, 4) ?? null)).toEqual([null, null, null, 'utf8', 'utf8'])
  })

  test('a cell is what the database would print', async () => {
    const columns = ['gone', 'negative', 'large', 'price', 'written', 'shown', 'body']
    const [row = {}] = await source().page('kinds', { columns, keys: [number('id')], after: null, limit: 5 })
    expect(row['gone']).toBeNull()
    expect(text(row, 'gone', decode)).toBe('')
    expect(integer(row, 'negative')).toBe(-5)
    expect(bigint(row, 'large')).toBe(9_223_372_036_854_775_807n)
    expect(() => integer(row, 'large')).toThrow('too large')
    expect(text(row, 'price', decode)).toBe('12.50')
    expect(() => bigint(row, 'price')).toThrow('no whole number')
    expect(dateTime(row, 'written')).toEqual(new Date('2026-11-29T10:11:12Z'))
    expect(flag(row, 'shown')).toBe(true)
    expect(text(row, 'body', decode)).toBe("茶 'x'")
    expect(() => text(row, 'id', decode)).toThrow('was not read')
  })
}

function testPages(source: () => SourceTables): void {
  test.each([
    ['one number', [number('id')]],
    ['two numbers', [number('forum'), number('place')]],
    ['two numbers the other way', [number('place'), number('forum')]],
    ['a text', [{ column: 'code', kind: 'text' }]],
    ['a number and a text', [number('forum'), { column: 'code', kind: 'text' }]],
  ] as const)('pages by %s give each row once, in order', async (_, keys) => {
    for (const limit of [1, 7, 500, 1_500, 5_000]) {
      if (limit === 1 && keys.length > 1) continue
      const rows = await allNotes(source(), keys, limit)
      expect(rows.map((row) => integer(row, 'id')).toSorted((a, b) => a - b)).toEqual(notes.map((_, id) => id))
      expect(rows.map((row) => keysOf(row, keys))).toEqual(sortedBy(keys))
    }
  })

  test('a page goes on after any key, also after one that is gone', async () => {
    const keys = [number('forum'), number('place')]
    const anyKey = fc.tuple(fc.integer({ min: -2, max: 9 }), fc.integer({ min: -30, max: 250 }))
    await fc.assert(
      fc.asyncProperty(anyKey, async ([forum, place]) => {
        const rows = await source().page('note', { columns: ['forum', 'place'], keys, after: [`${forum}`, `${place}`], limit: 3 })
        const later = sortedBy(keys).filter(([a, b]) => Number(a) > forum || (Number(a) === forum && Number(b) > place))
        expect(rows.map((row) => keysOf(row, keys))).toEqual(later.slice(0, 3))
      }),
    )
  })
}

async function allNotes(source: SourceTables, keys: readonly Key[], limit: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string[] | null = null; ;) {
    const page: Row[] = await source.page('note', { columns: ['id', 'forum', 'place', 'code'], keys, after, limit })
    rows.push(...page)
    const last = page.at(-1)
    if (!last) return rows
    after = keysOf(last, keys)
  }
}

function testConditions(source: () => SourceTables): void {
  test('conditions limit a page and a count', async () => {
    const where = [
      { column: 'forum', is: '=', value: '3' },
      { column: 'place', is: '>', value: '10' },
      { column: 'place', is: '<=', value: '14' },
      { column: 'code', is: 'in', values: notes.filter((_, n) => n % 2 === 0).map(({ code }) => code) },
    ] as const
    const expected = notes.filter((note, n) => note.forum === 3 && note.place > 10 && note.place <= 14 && n % 2 === 0)
    const rows = await source().page('note', { columns: ['id'], keys: [number('place')], after: null, where, limit: 100 })
    expect(rows.map((row) => integer(row, 'id'))).toEqual(expected.map(({ id }) => id))
    expect(await source().count('note', where)).toBe(expected.length)
    expect(await source().count('note')).toBe(1_500)
    expect(await source().count('note', [{ column: 'id', is: 'in', values: [] }])).toBe(0)
  })

  test('a value with quotation marks is a value', async () => {
    for (const value of ["k1' or '1'='1", 'k1\\', 'k1"', '?', '茶', '$1'])
      expect(await source().count('note', [{ column: 'code', is: '=', value }])).toBe(0)
  })

  test('rows among thousands of values come together by value, each in its order', async () => {
    const values = Array.from({ length: 2_500 }, (_, n) => String(n))
    const rows = await source().among('note', { columns: ['id'], column: 'id', values })
    expect(rows.length).toBe(1_500)
    const of = await source().among('note', {
      columns: ['forum', 'place'],
      column: 'forum',
      values: ['5', '2', '5', '77'],
      order: ['place'],
    })
    const [two, five] = [notes.filter(({ forum }) => forum === 2), notes.filter(({ forum }) => forum === 5)]
    expect(of.map((row) => integer(row, 'place'))).toEqual([...two, ...five].map(({ place }) => place))
    expect(await source().among('note', { columns: ['id'], column: 'code', values: [] })).toEqual([])
  })

  test('the greatest value is that of the numbers', async () => {
    expect(await source().max('note', 'id')).toBe('1499')
    expect(await source().max('note', 'place')).toBe(String(Math.max(...notes.map(({ place }) => place))))
    expect(await source().max('empty', 'id')).toBeNull()
  })

  test('a missing table and a missing column are told to the operator', async () => {
    const missing = { columns: ['nothing'], keys: [number('id')], after: null, limit: 1 }
    await expect(source().page('nothing', missing)).rejects.toThrow(CannotStart)
    await expect(source().page('note', missing)).rejects.toThrow('The table note has no column nothing')
    await expect(source().count('Note"; drop table note')).rejects.toThrow('See to the table prefix')
  })
}

function sortedBy(keys: readonly Key[]): string[][] {
  return notes
    .map((note) => keys.map(({ column }) => String(note[column as keyof Note])))
    .toSorted((one, other) => {
      for (const [at, { kind }] of keys.entries()) {
        const [a = '', b = ''] = [one[at], other[at]]
        if (a !== b) return kind === 'number' ? Number(a) - Number(b) : a < b ? -1 : 1
      }
      return 0
    })
}
