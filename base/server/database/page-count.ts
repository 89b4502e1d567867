import { Missing } from '#base/contract.ts'

/** The position of a page in a list, which has at least one. Refuses a page beyond the end. */
export function pagePosition(total: number, page: number, perPage: number): { total: number; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page > pages) throw Missing()
  return { total, page, pages }
}
