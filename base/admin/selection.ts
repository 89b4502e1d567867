import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listQuery } from '#base/admin/list-query.ts'
import { between, including, seenFrom, without, type SelectionState, type Rowed } from '#base/admin/selected.ts'
import type { Endpoint } from '#base/contract.ts'
import { countedTo, listParams, type Many } from '#base/list.ts'

/** The target of a bulk action. */
export type Chosen<Row> = {
  /** The selected rows that were seen; for all matching rows, those of this page. */
  rows: readonly Row[]
  count: number
  /** The count is a lower bound. */
  isMore: boolean
  /** The selection for the endpoint. */
  which: Many
}

/** The selection of a list. It survives paging, and ends when the filters change. */
export function useSelection<Row extends Rowed>(
  of: Pick<Endpoint, 'path' | 'input'>,
  { rows, count }: { rows: readonly Row[]; count: number },
) {
  const [asked] = useSearchParams()
  const all = filtersIn(of, asked)
  const page = { narrowed: JSON.stringify(all), at: String(asked), rows }
  const [state, hold] = useState<SelectionState<Row>>({ narrowed: page.narrowed, seen: new Map(), isAll: false })
  const held = seenFrom(page, state)
  const last = useRef<string>(null)
  const ids = [...held.seen.keys()]
  const isWholePage = rows.length > 0 && rows.every(({ id }) => held.seen.has(id))
  const put = (some: readonly Row[], isOff: boolean) => hold((isOff ? without : including)(page, held, some))

  return {
    ids: new Set(ids),
    isWholePage,
    isAll: held.isAll,
    elsewhere: ids.length - rows.filter(({ id }) => held.seen.has(id)).length,
    chosen: {
      rows: [...held.seen.values()].map(({ row }) => row),
      count: held.isAll ? count : ids.length,
      isMore: held.isAll && count >= countedTo,
      which: held.isAll ? (Object.keys(all).length > 0 ? { all } : { everything: true }) : { ids },
    } satisfies Chosen<Row>,
    /** Optionally also the rows up to the one toggled before. */
    toggle(id: string, reaches = false) {
      put(between(rows, id, reaches ? last.current : null), held.seen.has(id))
      last.current = id
    },
    togglePage: () => put(rows, isWholePage),
    takeAll: () => hold({ narrowed: page.narrowed, seen: new Map(), isAll: true }),
    clear: () => hold({ narrowed: page.narrowed, seen: new Map(), isAll: false }),
  }
}

export type Selection<Row extends Rowed> = ReturnType<typeof useSelection<Row>>

/** The filters of the list, without its display parameters. */
function filtersIn(of: Pick<Endpoint, 'path' | 'input'>, asked: URLSearchParams): Record<string, string> {
  const query = listQuery(of as Endpoint, new URL(`?${asked}`, location.href)) as Record<string, string>
  return Object.fromEntries(Object.entries(query).filter(([name]) => !listParams.includes(name)))
}
