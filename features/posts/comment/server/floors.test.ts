import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf, pagesOf, rangeOf, type FloorPaging } from '#comment/server/floors.ts'

const floors: fc.Arbitrary<FloorPaging> = fc.record({
  total: fc.integer({ min: 0, max: 700 }),
  perPage: fc.integer({ min: 5, max: 100 }),
  order: fc.constantFrom('asc', 'desc'),
})

test('over all pages every floor appears exactly once, in order', () => {
  fc.assert(
    fc.property(floors, (given) => {
      const seen = Array.from({ length: pagesOf(given) }, (_, index) => floorsOn(index + 1, given)).flat()
      const all = Array.from({ length: given.total }, (_, index) => index + 1)
      expect(seen).toEqual(given.order === 'asc' ? all : all.reverse())
    }),
  )
})

test('the page said to hold a floor holds it', () => {
  fc.assert(
    fc.property(floors, fc.nat(), (given, number) => {
      fc.pre(given.total > 0)
      const floor = (number % given.total) + 1
      expect(floorsOn(pageOf(floor, given), given)).toContain(floor)
    }),
  )
})

function floorsOn(page: number, given: FloorPaging): number[] {
  const { from, to } = rangeOf(page, given)
  const ascending = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return given.order === 'asc' ? ascending : ascending.reverse()
}
