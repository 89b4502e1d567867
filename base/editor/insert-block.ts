import type { Node } from '@tiptap/pm/model'
import { TextSelection, type Transaction } from '@tiptap/pm/state'
import { insertPoint } from '@tiptap/pm/transform'
import { afterTable } from '#base/editor/after-table.ts'

/** A position between two blocks, and whether the split text continues after it. */
type InsertionPoint = { at: number; goesOn: boolean }

/** Finds or creates a position for a block: beside the current text, or by splitting it. */
export function makeInsertionPoint(tr: Transaction, position: number): InsertionPoint {
  const { doc } = tr
  const place = afterCode(doc, afterTable(doc, position))
  const { image } = doc.type.schema.nodes
  const between = image ? insertPoint(doc, place, image) : null
  if (between !== null) return { at: between, goesOn: between < place }
  tr.split(place)
  return { at: place + 1, goesOn: true }
}

/** Moves the cursor below the block, where typing continues. */
export function cursorBelow(tr: Transaction, { at, goesOn }: InsertionPoint): void {
  const next = tr.doc.resolve(at).nodeAfter
  const isBlank = next?.type.name === 'paragraph' && next.content.size === 0
  const { paragraph } = tr.doc.type.schema.nodes
  if (!goesOn && !isBlank && paragraph) tr.insert(at, paragraph.create())
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)))
}

/** Inserts a block at the cursor, which moves below it. Returns its position. */
export function insertBlock(tr: Transaction, block: Node): number {
  const point = makeInsertionPoint(tr, tr.selection.to)
  cursorBelow(tr, point)
  tr.insert(point.at, block).scrollIntoView()
  return point.at
}

function afterCode(doc: Node, place: number): number {
  const at = doc.resolve(place)
  return at.parent.type.spec.code ? at.after() : place
}
