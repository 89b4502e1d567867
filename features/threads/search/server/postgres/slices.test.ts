import { expect, test } from 'vitest'
import { newestOf, rangesBetween } from '#search/server/postgres/slices.ts'
import { periodOf } from '#search/server/postgres/vector.ts'

test.each([2960, 2967, 2975, 2976])('each week from %d back is in one range, newest first, and no range is in two periods', (newest) => {
  const ranges = rangesBetween(newest, 2800)
  const weeks = ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, before) => last - before))
  expect(weeks.slice(0, newest - 2800 + 1)).toEqual(Array.from({ length: newest - 2800 + 1 }, (_, before) => newest - before))
  expect(ranges.filter(({ first, last }) => periodOf(first) !== periodOf(last))).toEqual([])
  expect(ranges.length).toBeLessThan(16)
})

const slice = (period: string, entries: number) => ({ periods: [period], weeks: null, entries })

test('the newest entries are those of whole periods, or of weeks if the newest period alone has too many', () => {
  const [tall, small, old] = [slice('3', 12_000), slice('2', 800), slice('1', 9_500)]
  const weeks = [slice('3', 4_000), slice('3', 5_000), slice('3', 3_000), small]
  expect(newestOf({ periods: [small, old], short: weeks }, 10_000)).toEqual([small])
  expect(newestOf({ periods: [small], short: [small] }, 10_000)).toEqual([small])
  expect(newestOf({ periods: [tall, small], short: weeks }, 10_000)).toEqual(weeks.slice(0, 2))
  expect(newestOf({ periods: [tall], short: [tall] }, 10_000)).toEqual([tall])
  expect(newestOf({ periods: [], short: [] }, 10_000)).toEqual([])
})
