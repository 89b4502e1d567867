import type { ThreadKind } from '#kind/contract.ts'

export type Order = 'likes' | 'asc' | 'desc'

/** The order that an address asks for. Answers stand best liked first, unless one wants them by their time. */
export function orderIn(query: URLSearchParams, kind: ThreadKind): Order {
  const asked = query.get('order')
  if (asked === 'desc') return 'desc'
  return kind === 'question' && asked !== 'asc' ? 'likes' : 'asc'
}

/** What an address says of its order; nothing of the usual one. */
export function orderQuery(order: Order, kind: ThreadKind): string {
  return order === (kind === 'question' ? 'likes' : 'asc') ? '' : `&order=${order}`
}
