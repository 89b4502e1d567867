import type { ReactNode } from 'react'
import { Time } from '#base/web/time.tsx'

export type Column<Row> = {
  /** The sort key of the endpoint, if the list can be sorted by this column. */
  name: string
  label: string
  /** Hidden by default. */
  isExtra?: boolean
} & (
  | {
      /** The value as plain text, in the list and in the file. */
      text: (row: Row) => string | null | undefined
      show?: never
      time?: never
    }
  | {
      /** A time, relative in the list and exact in the file. */
      time: (row: Row) => string | null | undefined
      show?: never
      text?: never
    }
  | {
      show: (row: Row) => ReactNode
      /** The value in the file; columns without it are left out of the file. */
      text?: (row: Row) => string | null | undefined
      time?: never
    }
)

/** The content of a cell. */
export function cellOf<Row>({ show, time, text }: Column<Row>, row: Row): ReactNode {
  if (show) return show(row)
  const at = time?.(row)
  return at ? <Time at={at} /> : text?.(row)
}
