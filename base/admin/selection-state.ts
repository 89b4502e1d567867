export type RowWithId = { id: string }
/** Rows by id, with the URL of the page on which each was seen. */
export type SeenRows<Row> = ReadonlyMap<string, { row: Row; at: string }>
/** The selection of a filtered list: these rows, or all that match. */
export type SelectionState<Row> = { narrowed: string; seenRows: SeenRows<Row>; includesAll: boolean }
export type Page<Row> = { narrowed: string; at: string; rows: readonly Row[] }

/** The selection as seen from this page; empty after the filters have changed. */
export function selectionFrom<Row extends RowWithId>(page: Page<Row>, selection: SelectionState<Row>): SelectionState<Row> {
  if (selection.narrowed !== page.narrowed) return { narrowed: page.narrowed, seenRows: new Map(), includesAll: false }
  const here = onPage(page)
  if (selection.includesAll) return { ...selection, seenRows: here }
  // Rows that have left this page are dropped, because no action applies to unseen rows.
  const remaining = [...selection.seenRows].filter(([id, { at }]) => at !== page.at || here.has(id))
  return { ...selection, seenRows: new Map(remaining.map(([id, one]) => [id, here.get(id) ?? one])) }
}

/** The selection with more rows. */
export function addRows<Row extends RowWithId>(
  page: Page<Row>,
  { seenRows }: SelectionState<Row>,
  more: readonly Row[],
): SelectionState<Row> {
  return { narrowed: page.narrowed, seenRows: new Map([...seenRows, ...onPage({ ...page, rows: more })]), includesAll: false }
}

/** The selection without these rows. All matching rows become the remaining visible ones. */
export function removeRows<Row extends RowWithId>(
  page: Page<Row>,
  { seenRows }: SelectionState<Row>,
  less: readonly Row[],
): SelectionState<Row> {
  const rest = [...seenRows].filter(([id]) => !less.some((row) => row.id === id))
  return { narrowed: page.narrowed, seenRows: new Map(rest), includesAll: false }
}

/** The rows between two of this page, inclusive. */
export function rowsBetween<Row extends RowWithId>(rows: readonly Row[], id: string, other: string | null): readonly Row[] {
  const [to, from] = [id, other].map((one) => rows.findIndex((row) => row.id === one))
  if (to === undefined || from === undefined || from < 0) return rows.filter((row) => row.id === id)
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}

function onPage<Row extends RowWithId>({ at, rows }: Page<Row>): SeenRows<Row> {
  return new Map(rows.map((row) => [row.id, { row, at }]))
}
