import { Missing } from '#base/contract.ts'

export const perPage = 30

export function pagesOf(total: number, page: number): { total: number; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page > pages) throw Missing()
  return { total, page, pages }
}
