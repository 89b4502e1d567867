import type { List } from '#comment/web/desk.tsx'

/** The pages that somebody scrolls through: those they have come by, and those of them that stand on the page now. */
export type ReadingPosition = {
  /** What the address gave last. */
  source: List
  /** Which comments are asked for, apart from the page. */
  wish: string
  lists: ReadonlyMap<number, List>
  /** In pixels, of pages that stand or stood on the page. */
  heights: ReadonlyMap<number, number>
  /** Come by, one after another. */
  first: number
  last: number
  /** On the page. */
  from: number
  to: number
}

const mostKept = 24

export function begin(source: List, wish: string): ReadingPosition {
  const { page } = source
  return { source, wish, lists: new Map([[page, source]]), heights: new Map(), first: page, last: page, from: page, to: page }
}

// Of a page that is yet to come.
const usualHeight = 600

export function heightOf({ heights }: ReadingPosition, from: number, to = from): number {
  let sum = 0
  for (let page = from; page <= to; page++) sum += heights.get(page) ?? usualHeight
  return sum
}

/** A page arrived: the next or the one before, or one that is read anew. */
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

/** The address gave a page, by a jump or because something changed. What is near stays; far from it all begins anew. */
export function renewed(held: ReadingPosition, source: List, wish: string): ReadingPosition {
  const { page } = source
  if (wish !== held.wish || page < held.first || page > held.last) return begin(source, wish)
  const isShown = page >= held.from && page <= held.to
  // The others may have changed too, but are shown until they are read anew.
  const lists = new Map([...held.lists].filter(([one]) => one >= held.from && one <= held.to)).set(page, source)
  return { ...held, source, lists, ...(!isShown && { from: page, to: page }) }
}

/** Which of these heights, one under the other, lie between two lines: the first and the last of them, at least one. */
export function between(heights: readonly number[], top: number, bottom: number): [number, number] {
  let above = 0
  let from = 0
  while (from < heights.length - 1 && above + (heights[from] ?? 0) <= top) above += heights[from++] ?? 0
  let to = from
  let below = above + (heights[from] ?? 0)
  while (to < heights.length - 1 && below < bottom) below += heights[++to] ?? 0
  return [from, to]
}

/** The comments of a page that no page before it shows: with the newest first, each new one pushes the others on. */
export function notShownBefore({ lists, from }: ReadingPosition, page: number): List['comments'] {
  const list = lists.get(page)
  const before = page > from ? lists.get(page - 1) : undefined
  if (!list || !before) return list?.comments ?? []
  const shown = new Set(before.comments.map(({ id }) => id))
  return list.comments.filter(({ id }) => !shown.has(id))
}
