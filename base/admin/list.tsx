import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Endpoint } from '#base/contract.ts'
import { countLimit, maxBulkRows, type Listing } from '#base/list.ts'
import { cellOf, type Column } from '#base/admin/column.tsx'
import { isFiltered } from '#base/admin/filters.tsx'
import { ListPages, ListTools, useChosenColumns } from '#base/admin/list-tools.tsx'
import type { RowWithId } from '#base/admin/selection-state.ts'
import { useSelection, type SelectedRows, type Selection } from '#base/admin/selection.ts'
import { useSorting } from '#base/admin/sorting.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

export type { Column }

export type ListProps<Row extends RowWithId> = {
  /** The endpoint of the list. */
  of: Pick<Endpoint, 'path' | 'input'>
  page: Listing<Row>
  columns: readonly Column<Row>[]
  filters?: ReactNode
  /** The bulk actions, also for all matching rows. `done` clears the selection. */
  bulkActions?: ((chosen: SelectedRows<Row>, done: () => void) => ReactNode) | undefined
  /** The decision requires reading: all matching rows cannot be selected unseen. */
  requiresReading?: boolean
  /** The label of a row's checkbox. */
  called?: ((row: Row) => string) | undefined
  /** The endpoint that is notified before an export. */
  exporting?: Pick<Endpoint, 'path'>
}

/** A list of the administration: filters, sort order, columns, selection, CSV export and paging, all stored in the URL. */
export function List<Row extends RowWithId>({
  of,
  page,
  columns,
  filters,
  bulkActions,
  requiresReading = false,
  called,
  exporting,
}: ListProps<Row>) {
  const words = useWords('admin')
  const [searchParams] = useSearchParams()
  const [visibleColumns, choose] = useChosenColumns(of.path, columns)
  const selection = useSelection(of, page)
  return (
    <>
      {filters}
      <div className={css.above}>
        <p className="meta" role="status">
          {page.count > 0 && words(page.count >= countLimit ? 'countMore' : 'count', { count: page.count })}
        </p>
        <ListTools of={of} columns={columns} shown={visibleColumns} choose={choose} {...(exporting && { exporting })} />
      </div>
      {bulkActions && <BulkBar selection={selection} count={page.count} bulkActions={bulkActions} requiresReading={requiresReading} />}
      {bulkActions && page.rows.length > 0 && <SelectAllOnPhone selection={selection} />}
      {page.rows.length === 0 ? (
        <Empty>{words(isFiltered(searchParams) ? 'noneSo' : 'noneYet')}</Empty>
      ) : (
        <Table of={of} rows={page.rows} shown={visibleColumns} selection={bulkActions ? selection : null} called={called} />
      )}
      <ListPages previous={page.previous} next={page.next} />
    </>
  )
}

type BulkBarProps<Row extends RowWithId> = {
  selection: Selection<Row>
  count: number
  bulkActions: NonNullable<ListProps<Row>['bulkActions']>
  requiresReading: boolean
}

/** The number of selected rows, a button to select all matches, and the bulk actions. */
function BulkBar<Row extends RowWithId>({ selection, count, bulkActions, requiresReading }: BulkBarProps<Row>) {
  const words = useWords('admin')
  const { chosen, isAll, isWholePage, elsewhere, takeAll, clear } = selection
  if (chosen.rows.length === 0) return null
  const more = count >= countLimit ? 'yes' : 'no'
  const label = isAll ? words('allSelected', { count, more, most: maxBulkRows }) : words('selected', { count: chosen.count, elsewhere })
  return (
    <div className={css.batch} role="group" aria-label={label}>
      <span role="status">{label}</span>
      {bulkActions(chosen, clear)}
      {!requiresReading && isWholePage && !isAll && count > chosen.count && (
        <button type="button" className="plain" onClick={takeAll}>
          {words('takeAll', { count, more })}
        </button>
      )}
      <button type="button" className="plain" onClick={clear}>
        {words('unselect')}
      </button>
    </div>
  )
}

type TableProps<Row extends RowWithId> = Pick<ListProps<Row>, 'of' | 'called'> & {
  rows: readonly Row[]
  shown: readonly Column<Row>[]
  selection: Selection<Row> | null
}

function Table<Row extends RowWithId>({ of, rows, shown, selection, called }: TableProps<Row>) {
  const words = useWords('admin')
  return (
    <div className={css.wide}>
      <table className={css.table}>
        <thead>
          <tr>
            {selection && <SelectAll selection={selection} />}
            {shown.map((column) => (
              <Head key={column.name} of={of} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-chosen={selection?.ids.has(row.id) || undefined}>
              {selection && (
                <td className={css.tick}>
                  <input
                    type="checkbox"
                    aria-label={`${words('select')} ${called?.(row) ?? row.id}`}
                    checked={selection.ids.has(row.id)}
                    onChange={({ nativeEvent }) => selection.toggle(row.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
                  />
                </td>
              )}
              {shown.map((column) => (
                <td key={column.name} data-label={column.label}>
                  {cellOf(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type PageOf = Pick<Selection<RowWithId>, 'ids' | 'elsewhere' | 'isWholePage' | 'togglePage'>

/** For lists without a header row. */
function SelectAllOnPhone({ selection: { isWholePage, togglePage } }: { selection: PageOf }) {
  const words = useWords('admin')
  return (
    <label className={css.all}>
      <input type="checkbox" checked={isWholePage} onChange={togglePage} /> {words('selectAll')}
    </label>
  )
}

function SelectAll({ selection: { ids, elsewhere, isWholePage, togglePage } }: { selection: PageOf }) {
  const words = useWords('admin')
  return (
    <th className={css.tick}>
      <input
        type="checkbox"
        aria-label={words('selectAll')}
        checked={isWholePage}
        ref={(box) => void (box && (box.indeterminate = ids.size > elsewhere && !isWholePage))}
        onChange={togglePage}
      />
    </th>
  )
}

function Head<Row>({ of, column: { name, label } }: { of: Pick<Endpoint, 'input'>; column: Column<Row> }) {
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
