import { textOf, type Cell } from '#base/admin/column.tsx'
import { matchesWords } from '#base/admin/matches-words.ts'

/** A column of a short list, in its table, its search and its file. */
export type ShortListColumn<Thing> = Cell<Thing> & {
  label: string
  /** The list can be sorted by it. False where the order itself matters, as in a navigation. */
  isSortable?: boolean
}

type TreeItem = { id: string; parentId?: string | null }

/** The matching rows, with their ancestors and descendants. */
export function filterTree<Thing extends TreeItem>(
  items: readonly Thing[],
  columns: readonly ShortListColumn<Thing>[],
  typed: string,
): readonly Thing[] {
  if (typed.trim() === '') return items
  const found = items.filter((thing) =>
    matchesWords(
      typed.trim(),
      columns.map((column) => textOf(column, thing)),
    ),
  )
  const [ids, above] = [new Set(found.map(({ id }) => id)), new Set(found.map(({ parentId }) => parentId))]
  return items.filter(({ id, parentId }) => ids.has(id) || above.has(id) || (typeof parentId === 'string' && ids.has(parentId)))
}

/** Sorted by a column in natural order. */
export function sortedBy<Thing>(items: readonly Thing[], by: ShortListColumn<Thing> | undefined, isDown: boolean): readonly Thing[] {
  if (!by) return items
  const way = isDown ? -1 : 1
  return items.toSorted((one, other) => way * textOf(by, one).localeCompare(textOf(by, other), undefined, { numeric: true }))
}

/** A column with the names in both languages. */
export function nameColumn<Thing extends { name: { zh: string; en: string } }>(
  label: string,
  more: Partial<ShortListColumn<Thing>> = {},
): ShortListColumn<Thing> {
  return { label, text: ({ name: { zh, en } }) => (zh === en ? zh : `${zh} / ${en}`), ...more }
}
