import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { hasText, textOf } from '#base/admin/column.tsx'
import { inLocalZone } from '#base/admin/csv.ts'
import { filterTree, sortedBy, type ShortListColumn } from '#base/admin/filter-tree.ts'
import { saveCsv } from '#base/admin/save-csv.ts'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/few.module.css'

type ShortListToolsProps<Thing> = {
  items: readonly Thing[]
  columns: readonly ShortListColumn<Thing>[]
  children: (shown: readonly Thing[]) => ReactNode
}

/** The controls above a short list: a search box, the sort order, and a CSV file. Their state is in the URL. */
export function ShortListTools<Thing extends { id: string; parentId?: string | null }>({
  items,
  columns,
  children,
}: ShortListToolsProps<Thing>) {
  const words = useWords('admin')
  const [state, setState] = useShortListState()
  const { pathname } = useLocation()
  const by = columns.find(({ label, isSortable }) => isSortable && label === state.by)
  const visible = sortedBy(filterTree(items, columns, state.typed), by, state.isDown)

  function download(): void {
    const textColumns = columns.filter(hasText)
    const rows = visible.map((thing) => textColumns.map((column) => inLocalZone(textOf(column, thing))))
    saveCsv([textColumns.map(({ label }) => label), ...rows], pathname.slice(7).replaceAll('/', '-'))
  }

  if (items.length === 0) return children(items)
  return (
    <>
      <div className={css.tools} role="search">
        <input
          type="search"
          aria-label={words('findHere')}
          placeholder={words('findHere')}
          value={state.typed}
          onChange={({ target }) => setState({ ...state, typed: target.value })}
        />
        <SortChoice labels={columns.flatMap(({ label, isSortable }) => (isSortable ? label : []))} state={state} ask={setState} />
        <button type="button" className="plain" onClick={download}>
          {words('export')}
        </button>
      </div>
      <p className={state.typed ? 'meta' : 'hidden'} role="status">
        {words('count', { count: visible.length })}
      </p>
      {visible.length === 0 ? <Empty>{words('noneSo')}</Empty> : children(visible)}
    </>
  )
}

function SortChoice({
  labels,
  state: current,
  ask,
}: {
  labels: readonly string[]
  state: ShortListState
  ask: (state: ShortListState) => void
}) {
  const words = useWords('admin')
  if (labels.length === 0) return null
  return (
    <select
      aria-label={words('sort')}
      value={current.by && `${current.isDown ? '-' : '+'}${current.by}`}
      onChange={({ target: { value } }) => ask({ ...current, by: value.slice(1), isDown: value.startsWith('-') })}
    >
      <option value="">{words('sort')}</option>
      {labels.flatMap((label) => [
        <option key={`+${label}`} value={`+${label}`}>
          {label} ↑
        </option>,
        <option key={`-${label}`} value={`-${label}`}>
          {label} ↓
        </option>,
      ])}
    </select>
  )
}

type ShortListState = { typed: string; by: string; isDown: boolean }

// The search box changes the URL without loading anything, because all rows are on the page.
function useShortListState(): readonly [ShortListState, (state: ShortListState) => void] {
  const [state, setAsked] = useState<ShortListState>(() => {
    const query = new URLSearchParams(location.search)
    const sort = query.get('sort') ?? ''
    return { typed: query.get('find') ?? '', by: sort.replace(/^[-+]/, ''), isDown: sort.startsWith('-') }
  })

  function ask(next: ShortListState): void {
    setAsked(next)
    const url = new URL(location.href)
    setParameter(url, 'find', next.typed)
    setParameter(url, 'sort', next.by && `${next.isDown ? '-' : '+'}${next.by}`)
    history.replaceState(history.state, '', url)
  }

  return [state, ask]
}

function setParameter(url: URL, name: string, value: string): void {
  if (value) url.searchParams.set(name, value)
  else url.searchParams.delete(name)
}
