import { expect, test } from 'vitest'
import { lastDayOf, monthNow, monthsUntil } from '#reconciliation/admin/months.ts'

test('the month of now is the one of the zone', () => {
  const now = new Date('2026-11-30T18:00:00Z')
  expect([monthNow('Asia/Shanghai', now), monthNow('UTC', now)]).toEqual(['2026-12', '2026-11'])
})

test('the months that are offered go back without a gap, and hold the one that is shown', () => {
  const months = monthsUntil('UTC', '1999-12')
  expect(months[0]).toBe(monthNow('UTC'))
  expect(months.at(-1)).toBe('1999-12')
  expect(months).toEqual(months.toSorted().toReversed())
  expect(monthsUntil('UTC', months[3] ?? '')).toHaveLength(60)
})

test.each([
  ['2026-11', '2026-11-30'],
  ['2028-02', '2028-02-29'],
  ['2026-12', '2026-12-31'],
])('the last day of %s is %s', (month, day) => expect(lastDayOf(month)).toBe(day))
