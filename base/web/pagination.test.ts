import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageNumbers } from '#base/web/pagination.tsx'

test.each([
  [1, 1, '1'],
  [1, 3, '1 2 3'],
  [1, 9, '1 2 3 … 9'],
  [4, 9, '1 2 3 4 5 6 … 9'],
  [5, 9, '1 2 3 4 5 6 7 8 9'],
  [6, 20, '1 … 4 5 6 7 8 … 20'],
  [20, 20, '1 … 18 19 20'],
  [1_000, 2_000, '1 … 998 999 1000 1001 1002 … 2000'],
])('page %i of %i', (page, pages, expected) => {
  expect(
    pageNumbers(page, pages)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(expected)
})

test('the first, the last and the current page are always there, in order, and a gap hides more than one', () => {
  const place = fc.integer({ min: 1, max: 5_000 }).chain((pages) => fc.tuple(fc.integer({ min: 1, max: pages }), fc.constant(pages)))
  fc.assert(
    fc.property(place, ([page, pages]) => {
      const numbers = pageNumbers(page, pages)
      expect(numbers).toEqual(expect.arrayContaining([1, page, pages]))
      const steps = numbers.map((number, index) => (number === null ? 'gap' : number - (numbers[index - 1] ?? number - 1)))
      expect(steps.every((step) => step === 'gap' || step === 1)).toBe(true)
      const gaps = numbers.flatMap((number, index) => (number === null ? [(numbers[index + 1] ?? 0) - (numbers[index - 1] ?? 0)] : []))
      expect(gaps.every((gap) => gap > 2)).toBe(true)
    }),
  )
})
