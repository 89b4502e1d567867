import { expect, test } from 'vitest'
import { formatSize } from '#base/size.ts'

test('the size of a file has two or three digits', () => {
  expect([0, 1, 999, 1000, 1_234, 9_999, 10_000, 999_499, 1_500_000, 99_000_000, 12_345_678_901].map(formatSize)).toEqual([
    '0 B',
    '1 B',
    '999 B',
    '1.0 kB',
    '1.2 kB',
    '10.0 kB',
    '10 kB',
    '999 kB',
    '1.5 MB',
    '99 MB',
    '12 GB',
  ])
})
