import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listQuery } from '#base/admin/list-query.ts'
import type { Endpoint } from '#base/contract.ts'
import { countedTo, type Many } from '#base/list.ts'

export type Rowed = { id: string }
/** What a deed is done to. */
export type Chosen<Row> = {
  /** Those that were seen: where all that match are meant, the ones on this page. */
  rows: readonly Row[]
  count: number
  /** They are more than are counted. */
  isMore: boolean
  /** The same for the call. */
  which: Many
}
type Page<Row> = { rows: readonly Row[]; count: number }
/** Where each was seen, too. */
type Seen<Row> = ReadonlyMap<string, { row: Row; at: string }>
type Held<Row> = { place: string; seen: Seen<Row>; isAll: boolean }

const ofTheList = ['sort', 'order', 'size', 'cursor']

/** What is selected of a list. It stays while one looks at other pages of it, and ends when the list is narrowed in another way. */
export function useSelection<Row extends Rowed>(of: Pick<Endpoint, 'path' | 'takes'>, { rows, count }: Page<Row>) {
  const [asked] = useSearchParams()
  const all = filtersIn(of, asked)
  const place = JSON.stringify(all)
  const [state, setState] = useState<Held<Row>>({ place, seen: new Map(), isAll: false })
  const held = state.place === place ? state : { place, seen: new Map(), isAll: false }
  const here = new Map(rows.map((row) => [row.id, { row, at: String(asked) }]))
  // What was on this page and is no more is not acted on unseen.
  const kept = [...held.seen].filter(([id, { at }]) => at !== String(asked) || here.has(id))
  const seen: Seen<Row> = held.isAll ? here : new Map(kept.map(([id, one]) => [id, here.get(id) ?? one]))
  const isWholePage = rows.length > 0 && rows.every(({ id }) => seen.has(id))
  const last = useRef<string>(null)
  const hold = (next: Iterable<readonly [string, { row: Row; at: string }]>) => setState({ place, seen: new Map(next), isAll: false })
  const including = (more: readonly Row[]) => hold([...seen, ...[...here].filter(([id]) => more.some((row) => row.id === id))])
  const without = (less: readonly Row[]) => hold([...seen].filter(([id]) => !less.some((row) => row.id === id)))

  /** With those between it and the one before, where one reaches that far. */
  function toggle(id: string, reaches = false): void {
    const [from = -1, to = -1] = [last.current, id].map((one) => rows.findIndex((row) => row.id === one))
    const meant = rows.slice(...(reaches && from >= 0 ? [Math.min(from, to), Math.max(from, to) + 1] : [to, to + 1]))
    last.current = id
    if (seen.has(id)) without(meant)
    else including(meant)
  }

  return {
    ids: new Set(seen.keys()),
    isWholePage,
    isAll: held.isAll,
    elsewhere: [...seen.keys()].filter((id) => !here.has(id)).length,
    chosen: {
      rows: [...seen.values()].map(({ row }) => row),
      count: held.isAll ? count : seen.size,
      isMore: held.isAll && count >= countedTo,
      which: held.isAll ? { all } : { ids: [...seen.keys()] },
    } satisfies Chosen<Row>,
    toggle,
    togglePage: () => (isWholePage ? without(rows) : including(rows)),
    takeAll: () => setState({ place, seen: new Map(), isAll: true }),
    clear: () => hold([]),
  }
}

export type Selection<Row extends Rowed> = ReturnType<typeof useSelection<Row>>

/** What the list is narrowed to, and not how it is shown. */
function filtersIn(of: Pick<Endpoint, 'path' | 'takes'>, asked: URLSearchParams): Record<string, string> {
  const query = listQuery(of as Endpoint, new URL(`?${asked}`, location.href)) as Record<string, string>
  return Object.fromEntries(Object.entries(query).filter(([name]) => !ofTheList.includes(name)))
}
