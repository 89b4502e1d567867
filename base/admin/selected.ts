export type Rowed = { id: string }
/** Rows with the address of the page on which each was seen. */
export type SeenRows<Row> = ReadonlyMap<string, { row: Row; at: string }>
/** What is selected of a list that is narrowed so: these rows, or all that match. */
export type SelectionState<Row> = { narrowed: string; seen: SeenRows<Row>; isAll: boolean }
export type Page<Row> = { narrowed: string; at: string; rows: readonly Row[] }

/** What is selected, as one sees it from this page: nothing once the list is narrowed in another way. */
export function seenFrom<Row extends Rowed>(page: Page<Row>, held: SelectionState<Row>): SelectionState<Row> {
  if (held.narrowed !== page.narrowed) return { narrowed: page.narrowed, seen: new Map(), isAll: false }
  const here = onPage(page)
  if (held.isAll) return { ...held, seen: here }
  // What was on this page and is no more is not acted on unseen.
  const kept = [...held.seen].filter(([id, { at }]) => at !== page.at || here.has(id))
  return { ...held, seen: new Map(kept.map(([id, one]) => [id, here.get(id) ?? one])) }
}

/** These rows more. */
export function including<Row extends Rowed>(page: Page<Row>, { seen }: SelectionState<Row>, more: readonly Row[]): SelectionState<Row> {
  return { narrowed: page.narrowed, seen: new Map([...seen, ...onPage({ ...page, rows: more })]), isAll: false }
}

/** Without these rows: of all that match, what else one sees stays. */
export function without<Row extends Rowed>(page: Page<Row>, { seen }: SelectionState<Row>, less: readonly Row[]): SelectionState<Row> {
  const rest = [...seen].filter(([id]) => !less.some((row) => row.id === id))
  return { narrowed: page.narrowed, seen: new Map(rest), isAll: false }
}

/** A row with those between it and another, where that is on the page. */
export function between<Row extends Rowed>(rows: readonly Row[], id: string, other: string | null): readonly Row[] {
  const [to, from] = [id, other].map((one) => rows.findIndex((row) => row.id === one))
  if (to === undefined || from === undefined || from < 0) return rows.filter((row) => row.id === id)
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}

function onPage<Row extends Rowed>({ at, rows }: Page<Row>): SeenRows<Row> {
  return new Map(rows.map((row) => [row.id, { row, at }]))
}
