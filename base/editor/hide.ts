import type { Editor } from '@tiptap/core'
import type { Node as ProseNode, NodeRange } from '@tiptap/pm/model'
import { TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'
import type { Lock } from '#base/rich-text/document.ts'

export const isPart = ({ type: { name } }: ProseNode): boolean => name === 'hidden' || name === 'shut'

/** The number of hidden parts. */
export function partsIn({ doc }: EditorState): number {
  let count = 0
  doc.forEach((block) => void (isPart(block) && count++))
  return count
}

/** Whether the selection can be hidden: it has no hidden part inside and is not within one. */
export function canHide({ selection: { $from, $to } }: EditorState): boolean {
  const range = topRange($from, $to)
  if (!range) return $from.depth === 0
  for (let index = range.startIndex; index < range.endIndex; index++) if (isPart(range.parent.child(index))) return false
  return true
}

/** Hides the selected blocks; without a selection, inserts an empty hidden part. */
export function hide(editor: Editor, lock: Lock): void {
  editor
    .chain()
    .command(({ tr }) => hideIn(tr, lock))
    .scrollIntoView()
    .focus()
    .run()
}

function hideIn(tr: Transaction, lock: Lock): boolean {
  const { $from, $to, empty } = tr.selection
  const { hidden: type, paragraph } = tr.doc.type.schema.nodes
  if (!type || !paragraph) return false
  const range = topRange($from, $to)
  if (!empty && range) {
    tr.wrap(range, [{ type, attrs: { lock } }])
    return true
  }
  const block = range?.parent.child(range.startIndex)
  const isBlank = block?.type === paragraph && block.content.size === 0
  const at = range ? (isBlank ? range.start : range.end) : $from.pos
  tr.replaceWith(at, isBlank && range ? range.end : at, type.create({ lock }, paragraph.create()))
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 2)))
  return true
}

/** Keeps the content, unhidden. */
export function unhide(tr: Transaction, at: number): void {
  const part = tr.doc.nodeAt(at)
  if (part) tr.replaceWith(at, at + part.nodeSize, part.content).setSelection(TextSelection.near(tr.doc.resolve(at + 1)))
}

type ResolvedPosition = EditorState['selection']['$from']

function topRange($from: ResolvedPosition, $to: ResolvedPosition): NodeRange | null {
  return $from.blockRange($to, (node) => node.type.name === 'doc')
}
