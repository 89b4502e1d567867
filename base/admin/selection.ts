import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listQuery } from '#base/admin/list-query.ts'
import { rowsBetween, addRows, selectionFrom, removeRows, type SelectionState, type RowWithId } from '#base/admin/selection-state.ts'
import type { Endpoint } from '#base/contract.ts'
import { countLimit, listParams, type BulkSelection } from '#base/list.ts'

/** The target of a bulk action. */
export type SelectedRows<Row> = {
  /** The selected rows that were seen; for all matching rows, those of this page. */
  rows: readonly Row[]
  count: number
  /** The count is a lower bound. */
  isLowerBound: boolean
  /** The selection for the endpoint. */
  which: BulkSelection
}

/** The selection of a list. It survives paging, and ends when the filters change. */
export function useSelection<Row extends RowWithId>(
  of: Pick<Endpoint, 'path' | 'input'>,
  { rows, count }: { rows: readonly Row[]; count: number },
) {
  const [searchParams] = useSearchParams()
  const all = filtersIn(of, searchParams)
  const page = { narrowed: JSON.stringify(all), at: String(searchParams), rows }
  const [state, hold] = useState<SelectionState<Row>>({ narrowed: page.narrowed, seenRows: new Map(), includesAll: false })
  const selection = selectionFrom(page, state)
  const last = useRef<string>(null)
  const ids = [...selection.seenRows.keys()]
  const isWholePage = rows.length > 0 && rows.every(({ id }) => selection.seenRows.has(id))
  const put = (some: readonly Row[], isOff: boolean) => hold((isOff ? removeRows : addRows)(page, selection, some))

  return {
    ids: new Set(ids),
    isWholePage,
    isAll: selection.includesAll,
    elsewhere: ids.length - rows.filter(({ id }) => selection.seenRows.has(id)).length,
    chosen: {
      rows: [...selection.seenRows.values()].map(({ row }) => row),
      count: selection.includesAll ? count : ids.length,
      isLowerBound: selection.includesAll && count >= countLimit,
      which: selection.includesAll ? (Object.keys(all).length > 0 ? { all } : { everything: true }) : { ids },
    } satisfies SelectedRows<Row>,
    /** Optionally also the rows up to the one toggled before. */
    toggle(id: string, withRange = false) {
      put(rowsBetween(rows, id, withRange ? last.current : null), selection.seenRows.has(id))
      last.current = id
    },
    togglePage: () => put(rows, isWholePage),
    takeAll: () => hold({ narrowed: page.narrowed, seenRows: new Map(), includesAll: true }),
    clear: () => hold({ narrowed: page.narrowed, seenRows: new Map(), includesAll: false }),
  }
}

export type Selection<Row extends RowWithId> = ReturnType<typeof useSelection<Row>>

/** The filters of the list, without its display parameters. */
function filtersIn(of: Pick<Endpoint, 'path' | 'input'>, searchParams: URLSearchParams): Record<string, string> {
  const query = listQuery(of as Endpoint, new URL(`?${searchParams}`, location.href)) as Record<string, string>
  return Object.fromEntries(Object.entries(query).filter(([name]) => !listParams.includes(name)))
}
