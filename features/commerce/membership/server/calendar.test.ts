import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import type { Unit } from '#membership/contract.ts'

const { database } = await aForum()

type Time = { from: string; length: number; unit: Unit; anchor?: number; zone?: string }

async function endOf({ from, length, unit, anchor, zone = 'Asia/Shanghai' }: Time): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select to_char(membership_end(start, ${length}::int, ${unit}, coalesce(${anchor ?? null}::int, extract(day from start at time zone ${zone}::text)::int), ${zone})
      at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI') as at from (select ${from}::timestamp at time zone ${zone}::text as start) as its`.execute(
    database.app,
  )
  return rows[0]?.at ?? ''
}

test('months end on the day on which they began, or on the last of a shorter month', async () => {
  expect(await endOf({ from: '2026-11-15 08:30', length: 1, unit: 'month' })).toBe('2026-12-15 08:30')
  expect(await endOf({ from: '2026-01-31 08:30', length: 1, unit: 'month' })).toBe('2026-02-28 08:30')
  expect(await endOf({ from: '2028-01-31 08:30', length: 1, unit: 'month' })).toBe('2028-02-29 08:30')
  expect(await endOf({ from: '2026-12-31 23:59', length: 2, unit: 'month' })).toBe('2027-02-28 23:59')
  expect(await endOf({ from: '2028-02-29 00:00', length: 1, unit: 'year' })).toBe('2029-02-28 00:00')
  expect(await endOf({ from: '2028-02-29 00:00', length: 4, unit: 'year' })).toBe('2032-02-29 00:00')
})

test('a month that continues a shorter one returns to its own day', async () => {
  expect(await endOf({ from: '2026-02-28 08:30', length: 1, unit: 'month', anchor: 31 })).toBe('2026-03-31 08:30')
  expect(await endOf({ from: '2026-04-30 08:30', length: 1, unit: 'month', anchor: 31 })).toBe('2026-05-31 08:30')
})

test('days and months keep the time of the clock where it changes, and hours do not', async () => {
  const zone = 'Europe/Berlin'
  expect(await endOf({ from: '2026-03-28 12:00', length: 1, unit: 'day', zone })).toBe('2026-03-29 12:00')
  expect(await endOf({ from: '2026-03-28 12:00', length: 24, unit: 'hour', zone })).toBe('2026-03-29 13:00')
  expect(await endOf({ from: '2026-10-24 12:00', length: 24, unit: 'hour', zone })).toBe('2026-10-25 11:00')
  expect(await endOf({ from: '2026-02-28 12:00', length: 1, unit: 'month', zone })).toBe('2026-03-28 12:00')
  // A time skipped by daylight saving is an hour later.
  expect(await endOf({ from: '2026-03-28 02:30', length: 1, unit: 'day', zone })).toBe('2026-03-29 03:30')
})

test('a time never ends before it began, and month by month it ends where all months at once do', async () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  await fc.assert(
    fc.asyncProperty(
      moment,
      fc.integer({ min: 1, max: 36 }),
      fc.constantFrom('Asia/Shanghai', 'UTC', 'Pacific/Auckland'),
      async (start, months, zone) => {
        const { rows } = await sql<{ isAfter: boolean; isSame: boolean }>`
        with recursive anchor (day) as (select extract(day from ${start}::timestamptz at time zone ${zone}::text)::int),
          step (at, months) as (
            select ${start}::timestamptz, ${months}::int
            union all select membership_end(at, 1, 'month', day, ${zone}), months - 1 from step, anchor where months > 0)
        select at > ${start}::timestamptz as "isAfter",
          abs(extract(epoch from at - membership_end(${start}::timestamptz, ${months}::int, 'month', day, ${zone}))) <= 3600 as "isSame"
        from step, anchor where months = 0`.execute(database.app)
        expect(rows).toEqual([{ isAfter: true, isSame: true }])
      },
    ),
    { numRuns: 60 },
  )
})

test('the rest of a price falls by whole days or hours, is the whole price before the time begins, and zero at its end', async () => {
  const restOf = async (amount: number, hours: number, unit: Unit) => {
    const { rows } = await sql<{ rest: string }>`
      select membership_remainder(${amount}::bigint, tstzrange(now(), now() + interval '30 days'), ${unit}, now() + make_interval(hours => ${hours})) as rest`.execute(
      database.app,
    )
    return Number(rows[0]?.rest)
  }
  expect(await restOf(3_000, -5, 'month')).toBe(3_000)
  expect(await restOf(3_000, 0, 'month')).toBe(3_000)
  expect(await restOf(3_000, 1, 'month')).toBe(2_900)
  expect(await restOf(3_000, 24, 'month')).toBe(2_900)
  expect(await restOf(3_000, 25, 'month')).toBe(2_800)
  expect(await restOf(1_000, 240, 'month')).toBe(666)
  expect(await restOf(7_200, 1, 'hour')).toBe(7_190)
  expect(await restOf(3_000, 30 * 24, 'month')).toBe(0)
  expect(await restOf(3_000, 90 * 24, 'month')).toBe(0)
})
