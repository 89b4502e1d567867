import type { ReactNode } from 'react'
import { cellOf } from '#base/admin/column.tsx'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/manage.module.css'

type ShortListTableProps<Thing> = {
  items: readonly Thing[]
  /** The first one names the row. */
  columns: readonly ShortListColumn<Thing>[]
  /** The menu of a row. */
  renderActions: (thing: Thing) => ReactNode
}

/** The rows of a short list, each with its menu. */
export function ShortListTable<Thing extends { id: string }>({ items, columns, renderActions }: ShortListTableProps<Thing>) {
  return (
    <table className="list">
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th key={label}>{label}</th>
          ))}
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            {columns.map((column, place) => (
              <td key={column.label} data-label={place === 0 ? undefined : column.label}>
                {cellOf(column, item)}
              </td>
            ))}
            <td>{renderActions(item)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The header of the column with the menus. */
export function ActionsHead() {
  const words = useWords('admin')
  return (
    <th className={css.actions}>
      <span className="hidden">{words('actions')}</span>
    </th>
  )
}
