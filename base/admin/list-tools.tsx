import { useId, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Endpoint } from '#base/contract.ts'
import { hasText, textOf, type Column } from '#base/admin/column.tsx'
import { inLocalZone } from '#base/admin/csv.ts'
import { listQuery } from '#base/admin/list-query.ts'
import { saveCsv } from '#base/admin/save-csv.ts'
import { useSorting } from '#base/admin/sorting.ts'
import { pageSizes, type Listing } from '#base/list.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

type ToolsProps<Row> = {
  of: Pick<Endpoint, 'path' | 'input'>
  columns: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  choose: (name: string) => void
  exporting?: Pick<Endpoint, 'path'>
}

/** The choice of columns, the page size, and the CSV file. */
export function ListTools<Row>({ of, columns, shown, choose, exporting }: ToolsProps<Row>) {
  const words = useWords('admin')
  const id = useId()
  const go = useNavigate()
  const [searchParams] = useSearchParams()
  return (
    <div className={css.tools}>
      <SortChoice of={of} columns={columns} />
      <button type="button" className="plain" popoverTarget={id}>
        {words('columns')}
      </button>
      <div id={id} popover="auto" className={css.columns} role="group" aria-label={words('columns')}>
        {columns.map(({ name, label }) => (
          <label key={name}>
            <input type="checkbox" checked={shown.some((one) => one.name === name)} onChange={() => choose(name)} /> {label}
          </label>
        ))}
      </div>
      <select
        aria-label={words('pageSize')}
        value={searchParams.get('size') ?? String(pageSizes[0])}
        onChange={({ target }) => {
          const query = new URLSearchParams(searchParams)
          query.delete('cursor')
          query.set('size', target.value)
          void go({ search: String(query) })
        }}
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {words('rows', { count: size })}
          </option>
        ))}
      </select>
      <Export of={of} columns={columns} {...(exporting && { exporting })} />
    </div>
  )
}

/** For lists without sortable column headers. */
function SortChoice<Row>({ of, columns }: Pick<ToolsProps<Row>, 'of' | 'columns'>) {
  const words = useWords('admin')
  const go = useNavigate()
  const { sorts, by, isDown, addressOf } = useSorting(of)
  const known = columns.filter(({ name }) => sorts.includes(name))
  if (known.length === 0) return null
  return (
    <select
      className={css.sort}
      aria-label={words('sort')}
      value={known.some(({ name }) => name === by) ? `${by} ${isDown ? 'desc' : 'asc'}` : ''}
      onChange={({ target: { value } }) => {
        const [name = '', order] = value.split(' ')
        void go(addressOf(name, order === 'asc' ? 'asc' : 'desc'))
      }}
    >
      {!known.some(({ name }) => name === by) && <option value="">{words('sort')}</option>}
      {known.flatMap(({ name, label }) => [
        <option key={`${name} desc`} value={`${name} desc`}>
          {label} ↓
        </option>,
        <option key={`${name} asc`} value={`${name} asc`}>
          {label} ↑
        </option>,
      ])}
    </select>
  )
}

const maxRows = 10_000

function Export<Row>({ of, columns, exporting }: Pick<ToolsProps<Row>, 'of' | 'columns' | 'exporting'>) {
  const words = useWords('admin')
  const api = useApi()
  const [isBusy, setBusy] = useState(false)

  async function allRows(): Promise<Row[]> {
    const rows: Row[] = []
    let cursor: string | null = null
    do {
      const { cursor: _, ...asked } = listQuery(of as Endpoint, new URL(location.href)) as Record<string, unknown>
      const page = (await api.read(of.path, { ...asked, size: pageSizes.at(-1), ...(cursor !== null && { cursor }) })) as Listing<Row>
      rows.push(...page.rows)
      cursor = page.next
    } while (cursor !== null && rows.length < maxRows)
    if (cursor !== null) toast(words('exportCut', { count: maxRows }))
    return rows.slice(0, maxRows)
  }

  async function download(): Promise<void> {
    setBusy(true)
    try {
      const textColumns = columns.filter(hasText)
      const rows = await allRows()
      if (exporting) await api.write(exporting.path, { rows: rows.length, asked: location.search.slice(0, 1_000) })
      saveCsv(
        [textColumns.map(({ label }) => label), ...rows.map((row) => textColumns.map((column) => inLocalZone(textOf(column, row))))],
        of.path.slice(7).replaceAll('/', '-'),
      )
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast(words('exportFailed'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" className="plain" disabled={isBusy} onClick={() => void download()}>
      {words(isBusy ? 'exporting' : 'export')}
    </button>
  )
}

/** Links to the neighbouring pages. */
export function ListPages({ previous, next }: { previous: string | null; next: string | null }) {
  const words = useWords('admin')
  const [searchParams] = useSearchParams()
  const { pathname } = useLocation()
  function at(cursor: string | null): string {
    const query = new URLSearchParams(searchParams)
    query.delete('cursor')
    if (cursor !== null) query.set('cursor', cursor)
    return `${pathname}?${query}`
  }
  if (previous === null && next === null) return null
  return (
    <nav aria-label={words('pages')} className={css.pages}>
      {previous !== null && <Link to={at(null)}>{words('first')}</Link>}
      {previous !== null && (
        <Link to={at(previous)} rel="prev">
          {words('previous')}
        </Link>
      )}
      {next !== null && (
        <Link to={at(next)} rel="next">
          {words('next')}
        </Link>
      )}
    </nav>
  )
}

/** The visible columns: the default ones, or a choice that is stored on this device. */
export function useChosenColumns<Row>(list: string, columns: readonly Column<Row>[]) {
  const place = `columns ${list}`
  const isKnown = (name: string) => columns.some((column) => column.name === name)
  const [names, setNames] = useState(() => {
    const stored = storedColumns(place)
    // A choice among the columns of an earlier version is no choice among these.
    return stored?.every(isKnown) ? stored : columns.filter(({ isExtra }) => !isExtra).map(({ name }) => name)
  })
  const known = columns.filter(({ name }) => names.includes(name))

  function choose(name: string): void {
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
    setNames(next)
    localStorage.setItem(place, JSON.stringify(next))
  }

  return [known.length > 0 ? known : columns, choose] as const
}

function storedColumns(place: string): string[] | null {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : null
  } catch {
    return null // storage is unavailable, or holds a foreign value
  }
}
