import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import type { caseList, caseView } from '#report/staff-contract.ts'

export type Opened = { found: Output<typeof caseView>; queue: Output<typeof caseList>['rows'] }

/** The address of reports on a post; it keeps what narrows the queue that one came from. */
export function usePathOf(): (caseId: string) => string {
  const [asked] = useSearchParams()
  return (caseId) => {
    const query = new URLSearchParams(asked)
    query.set('caseId', caseId)
    return `/admin/report/view?${query}`
  }
}

/** The way through the queue, from one post to the next. */
export function useWalk() {
  const { found, queue } = useLoaderData<Opened>()
  const [asked] = useSearchParams()
  const pathOf = usePathOf()
  const go = useNavigate()
  const at = queue.findIndex(({ id }) => id === found.id)
  const pathBy = (by: 1 | -1) => {
    const to = queue[at + by]
    return to ? pathOf(to.id) : null
  }

  function back(): string {
    const query = new URLSearchParams(asked)
    query.delete('caseId')
    return `/admin/report${query.size > 0 ? `?${query}` : ''}`
  }

  /** To the next that nobody else is at; from the last of them to the list. */
  function onward(): void | Promise<void> {
    const others = [...queue.slice(at + 1), ...queue.slice(0, Math.max(at, 0))]
    const next = others.find(({ id, claim, outcome }) => id !== found.id && outcome === null && (claim === null || claim.isMine))
    return go(next ? pathOf(next.id) : back())
  }

  return { next: pathBy(1), previous: pathBy(-1), place: at + 1, all: queue.length, back: back(), go, onward }
}
