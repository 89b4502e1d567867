import { isMeant } from '#base/admin/is-meant.ts'

/** A column of a short list, used for search and for the file. */
export type FewColumn<Thing> = {
  label: string
  text: (thing: Thing) => string
  /** The list can be sorted by it. False where the order itself matters, as in a navigation. */
  sorts?: boolean
}

type InTree = { id: string; parentId?: string | null }

/** The matching rows, with their ancestors and descendants. */
export function narrowed<Thing extends InTree>(
  things: readonly Thing[],
  columns: readonly FewColumn<Thing>[],
  typed: string,
): readonly Thing[] {
  if (typed.trim() === '') return things
  const found = things.filter((thing) =>
    isMeant(
      typed.trim(),
      columns.map(({ text }) => text(thing)),
    ),
  )
  const [ids, above] = [new Set(found.map(({ id }) => id)), new Set(found.map(({ parentId }) => parentId))]
  return things.filter(({ id, parentId }) => ids.has(id) || above.has(id) || (typeof parentId === 'string' && ids.has(parentId)))
}

/** Sorted by a column in natural order. */
export function sortedBy<Thing>(things: readonly Thing[], by: FewColumn<Thing> | undefined, isDown: boolean): readonly Thing[] {
  if (!by) return things
  const way = isDown ? -1 : 1
  return things.toSorted((one, other) => way * by.text(one).localeCompare(by.text(other), undefined, { numeric: true }))
}

/** A column with the names in both languages. */
export function nameColumn<Thing extends { name: { zh: string; en: string } }>(
  label: string,
  more: Partial<FewColumn<Thing>> = {},
): FewColumn<Thing> {
  return { label, text: ({ name: { zh, en } }) => (zh === en ? zh : `${zh} / ${en}`), ...more }
}
