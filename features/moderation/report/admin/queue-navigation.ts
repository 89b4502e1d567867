import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import type { appealList, appealView, caseList, caseView } from '#report/staff-contract.ts'

export type OpenedCase = { found: Output<typeof caseView>; queue: Output<typeof caseList>['rows'] }
export type OpenedAppeal = { found: Output<typeof appealView>; queue: Output<typeof appealList>['rows'] }

/** A queue: the path of its list, and the URL parameter that names an item. */
export const reports = { list: '/admin/report', name: 'caseId', title: 'reports' } as const
export const appeals = { list: '/admin/appeal', name: 'removalId', title: 'appeals' } as const
export type ReviewQueue = typeof reports | typeof appeals

/** Returns the URL of an item; it keeps the filters of the list. */
export function usePathOf({ list, name }: ReviewQueue): (id: string) => string {
  const [params] = useSearchParams()
  return (id) => {
    const query = new URLSearchParams(params)
    query.set(name, id)
    return `${list}/view?${query}`
  }
}

export type QueueNavigation = ReturnType<typeof useQueueNavigation>

/** Navigation through a queue, item by item. */
export function useQueueNavigation(way: ReviewQueue) {
  const { found, queue } = useLoaderData<OpenedCase | OpenedAppeal>()
  const [params] = useSearchParams()
  const pathOf = usePathOf(way)
  const go = useNavigate()
  const at = queue.findIndex(({ id }) => id === found.id)
  const pathBy = (by: 1 | -1) => {
    const to = queue[at + by]
    return to ? pathOf(to.id) : null
  }

  function back(): string {
    const query = new URLSearchParams(params)
    query.delete(way.name)
    return `${way.list}${query.size > 0 ? `?${query}` : ''}`
  }

  /** Goes to the next item that no other member of staff has claimed; after the last one, to the list. */
  function onward(): void | Promise<void> {
    const others = [...queue.slice(at + 1), ...queue.slice(0, Math.max(at, 0))]
    const next = others.find((one) => one.id !== found.id && isOpen(one) && (one.claim === null || one.claim.isMine))
    return go(next ? pathOf(next.id) : back())
  }

  return { way, next: pathBy(1), previous: pathBy(-1), place: at + 1, all: queue.length, back: back(), go, onward }
}

function isOpen(one: OpenedCase['queue'][number] | OpenedAppeal['queue'][number]): boolean {
  return 'appeal' in one ? one.appeal.outcome === null && one.mayDecide : one.outcome === null
}
