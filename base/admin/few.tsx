import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { inOwnZone } from '#base/admin/csv.ts'
import { narrowed, sortedBy, type FewColumn } from '#base/admin/narrowed.ts'
import { saveCsv } from '#base/admin/save-csv.ts'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/few.module.css'

type FewProps<Thing> = {
  things: readonly Thing[]
  columns: readonly FewColumn<Thing>[]
  children: (shown: readonly Thing[]) => ReactNode
}

/** The controls above a short list: a search box, the sort order, and a CSV file. Their state is in the URL. */
export function Few<Thing extends { id: string; parentId?: string | null }>({ things, columns, children }: FewProps<Thing>) {
  const words = useWords('admin')
  const [asked, ask] = useAsked()
  const { pathname } = useLocation()
  const by = columns.find(({ label, sorts }) => sorts && label === asked.by)
  const shown = sortedBy(narrowed(things, columns, asked.typed), by, asked.isDown)

  function bring(): void {
    const rows = shown.map((thing) => columns.map(({ text }) => inOwnZone(text(thing))))
    saveCsv([columns.map(({ label }) => label), ...rows], pathname.slice(7).replaceAll('/', '-'))
  }

  if (things.length === 0) return children(things)
  return (
    <>
      <div className={css.tools} role="search">
        <input
          type="search"
          aria-label={words('findHere')}
          placeholder={words('findHere')}
          value={asked.typed}
          onChange={({ target }) => ask({ ...asked, typed: target.value })}
        />
        <SortChoice labels={columns.flatMap(({ label, sorts }) => (sorts ? label : []))} asked={asked} ask={ask} />
        <button type="button" className="plain" onClick={bring}>
          {words('export')}
        </button>
      </div>
      <p className={asked.typed ? 'meta' : 'hidden'} role="status">
        {words('count', { count: shown.length })}
      </p>
      {shown.length === 0 ? <Empty>{words('noneSo')}</Empty> : children(shown)}
    </>
  )
}

function SortChoice({ labels, asked, ask }: { labels: readonly string[]; asked: ShortListState; ask: (asked: ShortListState) => void }) {
  const words = useWords('admin')
  if (labels.length === 0) return null
  return (
    <select
      aria-label={words('sort')}
      value={asked.by && `${asked.isDown ? '-' : '+'}${asked.by}`}
      onChange={({ target: { value } }) => ask({ ...asked, by: value.slice(1), isDown: value.startsWith('-') })}
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
function useAsked(): readonly [ShortListState, (asked: ShortListState) => void] {
  const [asked, setAsked] = useState<ShortListState>(() => {
    const query = new URLSearchParams(location.search)
    const sort = query.get('sort') ?? ''
    return { typed: query.get('find') ?? '', by: sort.replace(/^[-+]/, ''), isDown: sort.startsWith('-') }
  })

  function ask(next: ShortListState): void {
    setAsked(next)
    const url = new URL(location.href)
    put(url, 'find', next.typed)
    put(url, 'sort', next.by && `${next.isDown ? '-' : '+'}${next.by}`)
    history.replaceState(history.state, '', url)
  }

  return [asked, ask]
}

function put(url: URL, name: string, value: string): void {
  if (value) url.searchParams.set(name, value)
  else url.searchParams.delete(name)
}
