export type Rowed = { id: string }
/** Rows by id, with the URL of the page on which each was seen. */
export type SeenRows<Row> = ReadonlyMap<string, { row: Row; at: string }>
/** The selection of a filtered list: these rows, or all that match. */
export type SelectionState<Row> = { narrowed: string; seen: SeenRows<Row>; isAll: boolean }
export type Page<Row> = { narrowed: string; at: string; rows: readonly Row[] }

/** The selection as seen from this page; empty after the filters have changed. */
export function seenFrom<Row extends Rowed>(page: Page<Row>, held: SelectionState<Row>): SelectionState<Row> {
  if (held.narrowed !== page.narrowed) return { narrowed: page.narrowed, seen: new Map(), isAll: false }
  const here = onPage(page)
  if (held.isAll) return { ...held, seen: here }
  // Rows that have left this page are dropped, because no action applies to unseen rows.
  const kept = [...held.seen].filter(([id, { at }]) => at !== page.at || here.has(id))
  return { ...held, seen: new Map(kept.map(([id, one]) => [id, here.get(id) ?? one])) }
}

/** The selection with more rows. */
export function including<Row extends Rowed>(page: Page<Row>, { seen }: SelectionState<Row>, more: readonly Row[]): SelectionState<Row> {
  return { narrowed: page.narrowed, seen: new Map([...seen, ...onPage({ ...page, rows: more })]), isAll: false }
}

/** The selection without these rows. All matching rows become the remaining visible ones. */
export function without<Row extends Rowed>(page: Page<Row>, { seen }: SelectionState<Row>, less: readonly Row[]): SelectionState<Row> {
  const rest = [...seen].filter(([id]) => !less.some((row) => row.id === id))
  return { narrowed: page.narrowed, seen: new Map(rest), isAll: false }
}

/** The rows between two of this page, inclusive. */
export function between<Row extends Rowed>(rows: readonly Row[], id: string, other: string | null): readonly Row[] {
  const [to, from] = [id, other].map((one) => rows.findIndex((row) => row.id === one))
  if (to === undefined || from === undefined || from < 0) return rows.filter((row) => row.id === id)
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}

function onPage<Row extends Rowed>({ at, rows }: Page<Row>): SeenRows<Row> {
  return new Map(rows.map((row) => [row.id, { row, at }]))
}
