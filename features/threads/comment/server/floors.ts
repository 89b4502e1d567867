/** Floors are dense: every comment ever made has one, so a page is a range and costs the same at any depth. */
export type FloorPaging = { total: number; perPage: number; order: 'asc' | 'desc' | 'likes' }

export function pagesOf({ total, perPage }: FloorPaging): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/** The lowest and the highest floor of a page; by likes, the ranks. */
export function rangeOf(page: number, { total, perPage, order }: FloorPaging): { from: number; to: number } {
  const before = (page - 1) * perPage
  if (order !== 'desc') return { from: before + 1, to: Math.min(before + perPage, total) }
  return { from: Math.max(1, total - before - perPage + 1), to: total - before }
}

export function pageOf(floor: number, { total, perPage, order }: FloorPaging): number {
  if (total === 0) return 1
  return order !== 'desc' ? Math.ceil(floor / perPage) : Math.floor((total - floor) / perPage) + 1
}
