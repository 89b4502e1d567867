import type { ThreadKind } from '#kind/contract.ts'

export const orders = ['likes', 'asc', 'desc'] as const
export type Order = (typeof orders)[number]

// Answers stand best liked first, comments by their time, unless one wants them otherwise.
const usual = { question: 'likes', topic: 'asc' } as const satisfies Record<ThreadKind, Order>

/** The order that an address asks for. */
export function orderIn(query: URLSearchParams, kind: ThreadKind): Order {
  return orders.find((order) => order === query.get('order')) ?? usual[kind]
}

/** What an address says of its order; nothing of the usual one. */
export function orderQuery(order: Order, kind: ThreadKind): string {
  return order === usual[kind] ? '' : `&order=${order}`
}
