import type { List } from '#comment/web/desk.tsx'

/** The pages of the infinite list: those loaded, and the range that is mounted. */
export type ReadingPosition = {
  /** The latest list from the route's loader. */
  source: List
  /** The query that identifies the list, without the page. */
  wish: string
  lists: ReadonlyMap<number, List>
  /** In pixels, of pages that are or were mounted. */
  heights: ReadonlyMap<number, number>
  /** The contiguous range of loaded pages. */
  first: number
  last: number
  /** The range of mounted pages. */
  from: number
  to: number
}

const mostKept = 24

export function begin(source: List, wish: string): ReadingPosition {
  const { page } = source
  return { source, wish, lists: new Map([[page, source]]), heights: new Map(), first: page, last: page, from: page, to: page }
}

// The estimated height of a page that is not loaded yet.
const usualHeight = 600

export function heightOf({ heights }: ReadingPosition, from: number, to = from): number {
  let sum = 0
  for (let page = from; page <= to; page++) sum += heights.get(page) ?? usualHeight
  return sum
}

/** Adds a loaded page: the next, the previous, or a refreshed one. */
export function received(held: ReadingPosition, list: List): ReadingPosition {
  const { page } = list
  if (page < held.first - 1 || page > held.last + 1) return held
  const lists = new Map(held.lists).set(page, list)
  const far = [...lists.keys()].filter((one) => one < held.from - 1 || one > held.to + 1)
  for (const one of far.slice(0, Math.max(0, lists.size - mostKept))) lists.delete(one)
  return {
    ...held,
    lists,
    first: Math.min(held.first, page),
    last: Math.max(held.last, page),
    from: page === held.from - 1 ? page : held.from,
    to: page === held.to + 1 ? page : held.to,
  }
}

/** Applies a new list of the loader, after a jump or a change. A page in range replaces the old one; any other restarts the list. */
export function renewed(held: ReadingPosition, source: List, wish: string): ReadingPosition {
  const { page } = source
  if (wish !== held.wish || page < held.first || page > held.last) return begin(source, wish)
  const isShown = page >= held.from && page <= held.to
  // The other pages may be stale, but are shown until they are reloaded.
  const lists = new Map([...held.lists].filter(([one]) => one >= held.from && one <= held.to)).set(page, source)
  return { ...held, source, lists, ...(!isShown && { from: page, to: page }) }
}

/** The indices of the first and the last of these stacked heights that lie between two offsets, at least one. */
export function between(heights: readonly number[], top: number, bottom: number): [number, number] {
  let above = 0
  let from = 0
  while (from < heights.length - 1 && above + (heights[from] ?? 0) <= top) above += heights[from++] ?? 0
  let to = from
  let below = above + (heights[from] ?? 0)
  while (to < heights.length - 1 && below < bottom) below += heights[++to] ?? 0
  return [from, to]
}

/** The comments of a page without those on the page before it: in descending order, each new comment shifts the pages. */
export function notShownBefore({ lists, from }: ReadingPosition, page: number): List['comments'] {
  const list = lists.get(page)
  const before = page > from ? lists.get(page - 1) : undefined
  if (!list || !before) return list?.comments ?? []
  const shown = new Set(before.comments.map(({ id }) => id))
  return list.comments.filter(({ id }) => !shown.has(id))
}
