import type { Node } from '@tiptap/pm/model'
import { TextSelection, type Transaction } from '@tiptap/pm/state'
import { insertPoint } from '@tiptap/pm/transform'
import { afterTable } from '#base/web/editor/after-table.ts'

/** A place between two blocks, and whether the text that one writes on goes on behind it. */
type Room = { at: number; goesOn: boolean }

/** Makes room for a block where something is to stand: beside the text there, or parting it. */
export function madeRoom(tr: Transaction, wanted: number): Room {
  const { doc } = tr
  const place = afterCode(doc, afterTable(doc, wanted))
  const { image } = doc.type.schema.nodes
  const between = image ? insertPoint(doc, place, image) : null
  if (between !== null) return { at: between, goesOn: between < place }
  tr.split(place)
  return { at: place + 1, goesOn: true }
}

/** Puts the cursor below what stands or will stand there, where one may go on writing. */
export function goOnBelow(tr: Transaction, { at, goesOn }: Room): void {
  const next = tr.doc.resolve(at).nodeAfter
  const isBlank = next?.type.name === 'paragraph' && next.content.size === 0
  const { paragraph } = tr.doc.type.schema.nodes
  if (!goesOn && !isBlank && paragraph) tr.insert(at, paragraph.create())
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)))
}

/** Puts a block where the cursor is, which then stands below it. Gives where it is. */
export function putBlock(tr: Transaction, block: Node): number {
  const room = madeRoom(tr, tr.selection.to)
  goOnBelow(tr, room)
  tr.insert(room.at, block).scrollIntoView()
  return room.at
}

function afterCode(doc: Node, place: number): number {
  const at = doc.resolve(place)
  return at.parent.type.spec.code ? at.after() : place
}
