import { expect, test } from 'vitest'
import { rangesBetween } from '#search/server/postgres/slices.ts'
import { periodOf } from '#search/server/postgres/vector.ts'

test.each([2960, 2967, 2975, 2976])(
  'from week %d back, each week is in one range, the newest first, and no range is in two periods',
  (newest) => {
    const ranges = rangesBetween(newest, 2800)
    const weeks = ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, before) => last - before))
    expect(weeks.slice(0, newest - 2800 + 1)).toEqual(Array.from({ length: newest - 2800 + 1 }, (_, before) => newest - before))
    expect(ranges.filter(({ first, last }) => periodOf(first) !== periodOf(last))).toEqual([])
    expect(ranges.length).toBeLessThan(16)
  },
)
