import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
})

const order = fc.record({
  amount: fc.integer({ min: 0, max: 999_999_999_999 }),
  start: fc.date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
  length: fc.integer({ min: 1, max: 99 }),
  unit: fc.constantFrom('hour', 'day', 'month', 'year'),
  zone: fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Europe/Berlin', 'Pacific/Apia', 'Asia/Kathmandu'),
})

test('the rest of a price is between zero and the price, falls with time, and is zero at the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      order,
      fc.array(fc.double({ min: -0.5, max: 1.5, noNaN: true }), { minLength: 2, maxLength: 20 }),
      async (its, places) => {
        const { amount, start, length, unit, zone } = its
        const { rows } = await sql<{ rest: string; isOver: boolean; isBefore: boolean }>`
        with bought as (
          select tstzrange(${start}::timestamptz,
            membership_end(${start}::timestamptz, ${length}::int, ${unit}, extract(day from ${start}::timestamptz at time zone ${zone})::int, ${zone}), '[)') as during)
        select membership_remainder(${amount}::bigint, during, ${unit}, moment) as rest, moment >= upper(during) as "isOver", moment <= lower(during) as "isBefore"
        from bought, unnest(${[...places, 0, 1].toSorted((one, other) => one - other)}::float8[]) with ordinality as at (place, number),
          lateral (select case place when 1 then upper(during) else lower(during) + (upper(during) - lower(during)) * place end as moment) as its
        order by number`.execute(forum.database.app)
        const rests = rows.map(({ rest }) => Number(rest))
        expect(rests).toEqual(rests.toSorted((one, other) => other - one))
        expect(rows.filter(({ isOver, rest }) => isOver && rest !== '0')).toEqual([])
        expect(rows.filter(({ isBefore, rest }) => isBefore && rest !== String(amount))).toEqual([])
        for (const { rest } of rows) {
          expect(Number(rest)).toBeGreaterThanOrEqual(0)
          expect(Number(rest)).toBeLessThanOrEqual(amount)
        }
      },
    ),
    { numRuns: runs(60) },
  )
})
