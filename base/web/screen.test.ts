import { expect, test } from 'vitest'
import { numberIn, pageIn } from '#base/web/screen.ts'

test.each([
  ['12', 12],
  ['1e3', 0],
  ['0x10', 0],
  [' 7', 0],
  ['-7', 0],
  ['1.5', 0],
  ['99999999999', 0],
  ['', 0],
])('an address that says %j means %d', (written, number) => {
  expect(numberIn(new URLSearchParams([['floor', written]]), 'floor')).toBe(number)
})

test('an address without a page of its own means the first', () => {
  expect(['', 'page=x', 'page=0', 'page=3', 'page=9999999'].map((query) => pageIn(new URLSearchParams(query)))).toEqual([
    1, 1, 1, 3, 1_000_000,
  ])
})
