import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf, pagesOf, rangeOf, type FloorPaging } from '#comment/server/floors.ts'

const floors: fc.Arbitrary<FloorPaging> = fc.record({
  total: fc.integer({ min: 0, max: 700 }),
  perPage: fc.integer({ min: 5, max: 100 }),
  order: fc.constantFrom('asc', 'desc'),
})

test('every floor appears exactly once, in order, over all pages', () => {
  fc.assert(
    fc.property(floors, (paging) => {
      const seen = Array.from({ length: pagesOf(paging) }, (_, index) => floorsOn(index + 1, paging)).flat()
      const all = Array.from({ length: paging.total }, (_, index) => index + 1)
      expect(seen).toEqual(paging.order === 'asc' ? all : all.reverse())
    }),
  )
})

test('the page said to hold a floor holds it', () => {
  fc.assert(
    fc.property(floors, fc.nat(), (paging, number) => {
      fc.pre(paging.total > 0)
      const floor = (number % paging.total) + 1
      expect(floorsOn(pageOf(floor, paging), paging)).toContain(floor)
    }),
  )
})

function floorsOn(page: number, paging: FloorPaging): number[] {
  const { from, to } = rangeOf(page, paging)
  const ascending = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return paging.order === 'asc' ? ascending : ascending.reverse()
}
