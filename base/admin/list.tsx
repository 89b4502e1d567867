import { useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Endpoint } from '#base/contract.ts'
import { countedTo } from '#base/list.ts'
import { isNarrowed } from '#base/admin/filters.tsx'
import { ListPages, ListTools, useChosenColumns } from '#base/admin/list-tools.tsx'
import { useSorting } from '#base/admin/sorting.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

export type Column<Row> = {
  /** Where the list can be sorted by this, as its call names it. */
  name: string
  label: string
  show: (row: Row) => ReactNode
  /** The same as plain text, for the file; without it the file does not have it. */
  text?: (row: Row) => string
  /** Not shown until one chooses it. */
  isExtra?: boolean
}

export type Rowed = { id: string }
export type Listing<Row> = { rows: Row[]; next: string | null; previous: string | null; count: number }
type ListProps<Row extends Rowed> = {
  /** The call that it is a page of. */
  of: Pick<Endpoint, 'path' | 'takes'>
  page: Listing<Row>
  columns: readonly Column<Row>[]
  filters?: ReactNode
  /** What can be done with many at once. `done` selects none. */
  batch?: (ids: readonly string[], done: () => void) => ReactNode
  /** What a row is called when it is selected. */
  called?: ((row: Row) => string) | undefined
  /** Told of a file of so many rows, before one gets it. */
  exporting?: (rows: number, asked: string) => Promise<unknown>
}

/** A list of the administration: filters, sorts, chosen columns, selection, a file of it, and its pages. All of it stands in the address. */
export function List<Row extends Rowed>({ of, page, columns, filters, batch, called, exporting }: ListProps<Row>) {
  const words = useWords('admin')
  const [asked] = useSearchParams()
  const [shown, choose] = useChosenColumns(of.path, columns)
  const selection = useSelection(page.rows)
  const { chosen, clear } = selection
  return (
    <>
      {filters}
      <div className={css.above}>
        <p className="meta" role="status">
          {words(page.count >= countedTo ? 'countMore' : 'count', { count: page.count })}
        </p>
        <ListTools of={of} columns={columns} shown={shown} choose={choose} {...(exporting && { exporting })} />
      </div>
      {batch && chosen.size > 0 && (
        <div className={css.batch} role="group" aria-label={words('selected', { count: chosen.size })}>
          <span>{words('selected', { count: chosen.size })}</span>
          {batch([...chosen], clear)}
          <button type="button" className="plain" onClick={clear}>
            {words('unselect')}
          </button>
        </div>
      )}
      {batch && page.rows.length > 0 && <AllOnPhone selection={selection} />}
      {page.rows.length === 0 ? (
        <Empty>{words(isNarrowed(asked) ? 'noneSo' : 'noneYet')}</Empty>
      ) : (
        <Table of={of} rows={page.rows} shown={shown} selection={batch ? selection : null} called={called} />
      )}
      <ListPages previous={page.previous} next={page.next} />
    </>
  )
}

type TableProps<Row> = Pick<ListProps<Row & Rowed>, 'of' | 'called'> & {
  rows: readonly (Row & Rowed)[]
  shown: readonly Column<Row>[]
  selection: Selection | null
}

function Table<Row extends Rowed>({ of, rows, shown, selection, called }: TableProps<Row>) {
  const words = useWords('admin')
  return (
    <div className={css.wide}>
      <table className={css.table}>
        <thead>
          <tr>
            {selection && <AllTick selection={selection} />}
            {shown.map((column) => (
              <Head key={column.name} of={of} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-chosen={selection?.chosen.has(row.id) || undefined}>
              {selection && (
                <td className={css.tick}>
                  <input
                    type="checkbox"
                    aria-label={`${words('select')} ${called?.(row) ?? row.id}`}
                    checked={selection.chosen.has(row.id)}
                    onChange={({ nativeEvent }) => selection.toggle(row.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
                  />
                </td>
              )}
              {shown.map(({ name, label, show }) => (
                <td key={name} data-label={label}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where the list has no head. */
function AllOnPhone({ selection: { isAll, toggleAll } }: { selection: Selection }) {
  const words = useWords('admin')
  return (
    <label className={css.all}>
      <input type="checkbox" checked={isAll} onChange={toggleAll} /> {words('selectAll')}
    </label>
  )
}

function AllTick({ selection: { chosen, isAll, toggleAll } }: { selection: Selection }) {
  const words = useWords('admin')
  return (
    <th className={css.tick}>
      <input
        type="checkbox"
        aria-label={words('selectAll')}
        checked={isAll}
        ref={(box) => void (box && (box.indeterminate = chosen.size > 0 && !isAll))}
        onChange={toggleAll}
      />
    </th>
  )
}

function Head<Row>({ of, column: { name, label } }: { of: Pick<Endpoint, 'takes'>; column: Column<Row> }) {
  const words = useWords('admin')
  const { sorts, by, isDown, addressOf } = useSorting(of)
  if (!sorts.includes(name)) return <th>{label}</th>
  const isSorted = by === name
  return (
    <th aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}>
      <Link to={addressOf(name, isSorted && isDown ? 'asc' : 'desc')} aria-label={words('sortBy', { column: label })}>
        {label} {isSorted && <span aria-hidden="true">{isDown ? '↓' : '↑'}</span>}
      </Link>
    </th>
  )
}

type Selection = ReturnType<typeof useSelection>

function useSelection(rows: readonly Rowed[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  // What is no more on the page is not acted on unseen.
  const chosen = new Set(rows.map(({ id }) => id).filter((id) => ids.has(id)))
  const isAll = chosen.size === rows.length
  const last = useRef<string>(null)

  /** With those between it and the one before, where one reaches that far. */
  function toggle(id: string, reaches = false): void {
    const [from, to] = [last.current, id].map((one) => rows.findIndex((row) => row.id === one))
    const all = reaches && from !== undefined && to !== undefined && from >= 0
    const meant = all ? rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id) : [id]
    last.current = id
    setIds(chosen.has(id) ? new Set([...chosen].filter((one) => !meant.includes(one))) : new Set([...chosen, ...meant]))
  }

  return {
    chosen,
    isAll,
    toggle,
    toggleAll: () => setIds(isAll ? new Set() : new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}
