import type { Node } from '@tiptap/pm/model'

/** A table cell cannot hold blocks, so a block inserted into a table goes after it. */
export function afterTable(doc: Node, place: number): number {
  const at = doc.resolve(place)
  for (let depth = at.depth; depth > 0; depth--) {
    if (at.node(depth).type.name === 'table') return at.after(depth)
  }
  return place
}
