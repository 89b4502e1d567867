import { useLocation, useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import type { listInput } from '#base/list.ts'

type ListEndpoint = Pick<Endpoint, 'input'>
export type Order = 'asc' | 'desc'

/** The sort order of a list, its options, and their URLs. */
export function useSorting(of: ListEndpoint) {
  const [searchParams] = useSearchParams()
  const { pathname } = useLocation()
  const { sort, order } = shapeOf(of)
  const sorts: readonly string[] = sort.unwrap().options
  return {
    sorts,
    by: searchParams.get('sort') ?? sorts[0],
    isDown: (searchParams.get('order') ?? order.parse(undefined)) === 'desc',
    addressOf(name: string, to: Order): string {
      const query = new URLSearchParams(searchParams)
      query.delete('cursor')
      query.set('sort', name)
      query.set('order', to)
      return `${pathname}?${query}`
    },
  }
}

function shapeOf({ input }: ListEndpoint) {
  return (input as unknown as ReturnType<typeof listInput<string, z.ZodRawShape>>).shape
}
