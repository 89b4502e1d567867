import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { paged } from '#base/server/database/paged.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { runs } from '#base/testing/extent.ts'

const { database } = await freshDatabase()
const id = sql`thing.id`
const keys = {
  at: { by: sql`thing.at`, as: 'timestamptz' },
  points: { by: sql`thing.points`, as: 'bigint' },
  name: { by: sql`thing.name`, as: 'text' },
} as const

const ways = { asc: sql`asc`, desc: sql`desc` }

const thing = fc.record({
  at: fc.date({ min: new Date('2020-01-01'), max: new Date('2020-01-02'), noInvalidDate: true }).map((date) => date.toISOString()),
  points: fc.integer({ min: -2, max: 2 }),
  name: fc.constantFrom('', '茶', '茶馆', 'tea', 'Tea', "o'clock"),
})

test('walking a list to its end and back meets every row once, in order, under any sorting', async () => {
  const walk = fc.record({
    things: fc.array(thing, { maxLength: 25 }),
    sort: fc.constantFrom('at', 'points', 'name'),
    order: fc.constantFrom('asc', 'desc'),
    size: fc.integer({ min: 1, max: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(walk, async ({ things, sort, order, size }) => {
      const query = thingsAsTable(things)
      const whole = (await query.orderBy(sql`${keys[sort].by} ${ways[order]}, ${id} ${ways[order]}`).execute()).map((row) => row.id)
      const pageAt = (cursor?: string) => paged(database.reader, query, { keys, id, sort, order, size, ...(cursor && { cursor }) })

      const forth: string[][] = []
      let page = await pageAt()
      for (forth.push(page.rows.map((row) => row.id)); page.next; forth.push(page.rows.map((row) => row.id))) page = await pageAt(page.next)
      expect(forth.flat()).toEqual(whole)
      expect(page.count).toBe(things.length)

      const back = [forth.at(-1)]
      for (; page.previous; back.unshift(page.rows.map((row) => row.id))) page = await pageAt(page.previous)
      expect(back).toEqual(forth)
    }),
    { numRuns: runs(40) },
  )
})

test.each(['', 'x', 'bnVsbA', encoded([]), encoded(['2020-99-99', '1', false]), encoded(['2020-01-01 00:00:00+00', "1'", true])])(
  'a cursor made up is refused: %s',
  async (cursor) => {
    const page = paged(database.reader, thingsAsTable([]), { keys, id, sort: 'at', order: 'asc', size: 30, cursor })
    await expect(page).rejects.toThrow('base.invalid')
  },
)

function thingsAsTable(things: { at: string; points: number; name: string }[]) {
  const numbered = JSON.stringify(things.map((one, place) => ({ id: place + 1, ...one })))
  const columns = sql`(id bigint, at timestamptz, points bigint, name text)`
  const table = sql<{ id: string }>`(select * from jsonb_to_recordset(${numbered}::jsonb) as given ${columns})`
  return database.reader.selectFrom(table.as('thing')).select('thing.id')
}

function encoded(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
