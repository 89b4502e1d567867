import type { ThreadKind } from '#kind/contract.ts'

export const orders = ['likes', 'asc', 'desc'] as const
export type Order = (typeof orders)[number]

// The default orders: answers by likes, comments by time.
const defaultOrders = { question: 'likes', topic: 'asc' } as const satisfies Record<ThreadKind, Order>

export function orderIn(query: URLSearchParams, kind: ThreadKind): Order {
  return orders.find((order) => order === query.get('order')) ?? defaultOrders[kind]
}

/** The query for an order; empty for the default. */
export function orderQuery(order: Order, kind: ThreadKind): string {
  return order === defaultOrders[kind] ? '' : `&order=${order}`
}
