import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommentView } from '#comment/contract.ts'
import type { CommentList } from '#comment/web/thread-context.tsx'
import {
  startAt,
  visibleRange,
  heightOf,
  mergeStates,
  newCommentsOf,
  withPage,
  withSource,
  type LoadedPages,
} from '#comment/web/reading/loaded-pages.ts'

const wish = '42 asc'

function page(number: number, floors: number[] = [number]): CommentList {
  const comments = floors.map((floor) => ({ id: String(floor), floor }) as CommentView)
  return {
    best: null,
    comments,
    from: floors[0] ?? 0,
    to: floors.at(-1) ?? 0,
    total: 100,
    page: number,
    pages: 10,
  }
}

const range = ({ first, last, from, to }: LoadedPages) => [first, last, from, to]

test('pages come one after another, in both directions', () => {
  const loaded = [6, 4, 3, 7].reduce((now, number) => withPage(now, page(number)), startAt(page(5), wish))
  expect(range(loaded)).toEqual([3, 7, 3, 7])
  expect([...loaded.lists.keys()].sort()).toEqual([3, 4, 5, 6, 7])
})

test('an outdated page from elsewhere is left out', () => {
  const loaded = startAt(page(5), wish)
  expect(withPage(loaded, page(9))).toBe(loaded)
})

test('a jump within the loaded pages keeps them; one far away, or to another order, starts anew', () => {
  const loaded = [2, 3, 4].reduce((now, number) => withPage(now, page(number)), startAt(page(1), wish))
  const view = { ...loaded, from: 3, to: 4 }
  expect(range(withSource(view, page(3), wish))).toEqual([1, 4, 3, 4])
  expect(range(withSource(view, page(1), wish))).toEqual([1, 4, 1, 1])
  expect(range(withSource(view, page(9), wish))).toEqual([9, 9, 9, 9])
  expect(range(withSource(view, page(3), '42 desc'))).toEqual([3, 3, 3, 3])
})

test('few of a thousand passed pages are kept in memory', () => {
  let loaded = startAt(page(1), wish)
  for (let number = 2; number <= 1000; number++) loaded = { ...withPage(loaded, page(number)), from: number, to: number }
  expect(loaded.lists.size).toBeLessThanOrEqual(25)
  expect(range(loaded)).toEqual([1, 1000, 1000, 1000])
  expect(heightOf({ ...loaded, heights: new Map([[2, 100]]) }, 1, 3)).toBe(1300)
})

test('a comment on the page before is not shown again', () => {
  const loaded = withPage(startAt(page(1, [9, 8, 7]), wish), page(2, [7, 6, 5]))
  expect(newCommentsOf(loaded, 2).map(({ floor }) => floor)).toEqual([6, 5])
  expect(newCommentsOf(loaded, 1)).toHaveLength(3)
})

test('the pages between two lines are those that reach into between', () => {
  expect(visibleRange([100, 100, 100], 100, 200)).toEqual([1, 1])
  expect(visibleRange([100, 100, 100], 150, 250)).toEqual([1, 2])
  expect(visibleRange([100, 100, 100], -500, -400)).toEqual([0, 0])
  expect(visibleRange([100, 100, 100], 5000, 6000)).toEqual([2, 2])
  expect(visibleRange([100], 0, 50)).toEqual([0, 0])
})

test('with any heights, the range between two lines is covered by the pages', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(heights, fc.nat(100_000), fc.nat(5000), (all, top, length) => {
      const [from, to] = visibleRange(all, top, top + length)
      const above = all.slice(0, from).reduce((sum, height) => sum + height, 0)
      const below = all.slice(0, to + 1).reduce((sum, height) => sum + height, 0)
      expect(from <= to && to < all.length).toBe(true)
      expect(above <= top).toBe(true)
      expect(below >= top + length || to === all.length - 1).toBe(true)
    }),
  )
})

test('the states of several pages are one: lists are joined at any depth, and the first page says the rest', () => {
  const first = { readTo: 5, newcomer: { links: 1 }, can: { edit: true }, liked: { comment: ['1'], reply: [] } }
  const second = { readTo: 9, newcomer: null, can: { edit: false }, liked: { comment: ['2'], reply: ['3'] } }
  expect(mergeStates([first, second])).toEqual({ ...first, liked: { comment: ['1', '2'], reply: ['3'] } })
})
