import { Missing } from '#base/contract.ts'

/** Where a page lies among all of a list, which has one at least. Refuses one that lies beyond. */
export function pagesOf(total: number, page: number, perPage: number): { total: number; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page > pages) throw Missing()
  return { total, page, pages }
}
