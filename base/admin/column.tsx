import type { ReactNode } from 'react'
import { Time } from '#base/web/time.tsx'

type Text<Row> = (row: Row) => string | null | undefined

/** The cell of a row. A column with neither text nor time is left out of the file. */
export type Cell<Row> = {
  /** The value as plain text, for the file and, unless there is more to show, for the cell. */
  text?: Text<Row>
  /** A time, exact in the file and relative in the cell. */
  time?: Text<Row>
  /** The content of the cell. */
  show?: (row: Row) => ReactNode
}

export type Column<Row> = Cell<Row> & {
  /** The sort key of the endpoint, if the list can be sorted by this column. */
  name: string
  label: string
  /** Hidden by default. */
  isExtra?: boolean
}

/** The content of a cell. */
export function cellOf<Row>({ text, time, show }: Cell<Row>, row: Row): ReactNode {
  if (show) return show(row)
  const at = time?.(row)
  return at ? <Time at={at} /> : text?.(row)
}

/** The text of a cell, for search and for the file. */
export function textOf<Row>({ text, time }: Cell<Row>, row: Row): string {
  return (text ?? time)?.(row) ?? ''
}

/** Whether a column has a text. */
export function hasText<Row>({ text, time }: Cell<Row>): boolean {
  return text !== undefined || time !== undefined
}
