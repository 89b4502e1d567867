import type { CommentList } from '#comment/web/thread-context.tsx'

/** The pages of the infinite list: those loaded, and the range that is mounted. */
export type LoadedPages = {
  /** The latest list from the route's loader. */
  source: CommentList
  /** The query that identifies the list, without the page. */
  listKey: string
  lists: ReadonlyMap<number, CommentList>
  /** In pixels, of pages that are or were mounted. */
  heights: ReadonlyMap<number, number>
  /** The contiguous range of loaded pages. */
  first: number
  last: number
  /** The range of mounted pages. */
  from: number
  to: number
}

const maxPages = 24

export function startAt(source: CommentList, listKey: string): LoadedPages {
  const { page } = source
  return { source, listKey, lists: new Map([[page, source]]), heights: new Map(), first: page, last: page, from: page, to: page }
}

// The estimated height of a page that is not loaded yet.
const estimatedHeight = 600

export function heightOf({ heights }: LoadedPages, from: number, to = from): number {
  let sum = 0
  for (let page = from; page <= to; page++) sum += heights.get(page) ?? estimatedHeight
  return sum
}

/** Adds a loaded page: the next, the previous, or a refreshed one. */
export function withPage(loaded: LoadedPages, list: CommentList): LoadedPages {
  const { page } = list
  if (page < loaded.first - 1 || page > loaded.last + 1) return loaded
  const lists = new Map(loaded.lists).set(page, list)
  const far = [...lists.keys()].filter((one) => one < loaded.from - 1 || one > loaded.to + 1)
  for (const one of far.slice(0, Math.max(0, lists.size - maxPages))) lists.delete(one)
  return {
    ...loaded,
    lists,
    first: Math.min(loaded.first, page),
    last: Math.max(loaded.last, page),
    from: page === loaded.from - 1 ? page : loaded.from,
    to: page === loaded.to + 1 ? page : loaded.to,
  }
}

/** Applies a new list of the loader, after a jump or a change. A page in range replaces the old one; any other restarts the list. */
export function withSource(loaded: LoadedPages, source: CommentList, listKey: string): LoadedPages {
  const { page } = source
  if (listKey !== loaded.listKey || page < loaded.first || page > loaded.last) return startAt(source, listKey)
  const isShown = page >= loaded.from && page <= loaded.to
  // The other pages may be stale, but are shown until they are reloaded.
  const lists = new Map([...loaded.lists].filter(([one]) => one >= loaded.from && one <= loaded.to)).set(page, source)
  return { ...loaded, source, lists, ...(!isShown && { from: page, to: page }) }
}

/** The indices of the first and the last of these stacked heights that lie between two offsets, at least one. */
export function visibleRange(heights: readonly number[], top: number, bottom: number): [number, number] {
  let above = 0
  let from = 0
  while (from < heights.length - 1 && above + (heights[from] ?? 0) <= top) above += heights[from++] ?? 0
  let to = from
  let below = above + (heights[from] ?? 0)
  while (to < heights.length - 1 && below < bottom) below += heights[++to] ?? 0
  return [from, to]
}

/** The comments of a page without those on the page before it: in descending order, each new comment shifts the pages. */
export function newCommentsOf({ lists, from }: LoadedPages, page: number): CommentList['comments'] {
  const list = lists.get(page)
  const before = page > from ? lists.get(page - 1) : undefined
  if (!list || !before) return list?.comments ?? []
  const knownIds = new Set(before.comments.map(({ id }) => id))
  return list.comments.filter(({ id }) => !knownIds.has(id))
}

/** The member's states of several pages as one: lists of ids are joined, everything else is that of the first. */
export function mergeStates<State>(states: readonly State[]): State {
  const [first] = states
  if (Array.isArray(first)) return states.flat() as State
  if (!(first instanceof Object)) return first as State
  const own = states as readonly (Record<string, unknown> | null)[]
  return Object.fromEntries(Object.keys(first).map((name) => [name, mergeStates(own.map((state) => state?.[name]))])) as State
}
