import type { Editor } from '@tiptap/core'
import type { Node as ProseNode, Slice } from '@tiptap/pm/model'
import { TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { isPart, unhide } from '#base/editor/hide.ts'

/** Enter in the empty last line of a hidden part leaves it. */
export function leaveBelow(tr: Transaction, isMeant: boolean): boolean {
  const { $from, empty } = tr.selection
  const around = partAround(tr)
  const isAtEnd = around && $from.depth === 2 && $from.index(1) === around.part.childCount - 1
  if (!isAtEnd || !empty || around.part.childCount === 1) return false
  if ($from.parent.type.name !== 'paragraph' || $from.parent.content.size > 0) return false
  if (!isMeant) return true
  tr.delete($from.before(2), $from.after(2))
  const after = tr.mapping.map($from.after(1))
  const next = tr.doc.nodeAt(after)
  if (next?.type.name !== 'paragraph' || next.content.size > 0) tr.insert(after, $from.parent.type.create())
  tr.setSelection(TextSelection.near(tr.doc.resolve(after + 1))).scrollIntoView()
  return true
}

/** Backspace removes an empty hidden part, and does nothing at the beginning of another. */
export function removeEmptyPart(tr: Transaction, isMeant: boolean): boolean {
  const { $from, empty } = tr.selection
  const around = partAround(tr)
  if (!around || !empty || $from.depth !== 2 || $from.index(1) > 0 || $from.parentOffset > 0) return false
  if ($from.parent.type.name !== 'paragraph') return false
  if (isMeant && around.part.childCount === 1 && $from.parent.content.size === 0) unhide(tr, around.at)
  return true
}

export function focusLock(editor: Editor): boolean {
  const { state, view } = editor
  const around = partAround(state)
  // In lists Backspace lifts an item out.
  if (!around || state.selection.$from.depth > 2) return false
  const dom = view.nodeDOM(around.at)
  const head = dom instanceof HTMLElement ? dom.querySelector<HTMLElement>('[data-head] select, [data-head] button') : null
  head?.focus()
  return head !== null
}

/** A hidden part pasted where none is allowed goes below; it is never opened to fit. */
export function pasteBelow(view: EditorView, { content }: Slice): boolean {
  const { tr } = view.state
  const { $from } = tr.selection
  let hasPart = false
  content.forEach((node) => (hasPart ||= isPart(node)))
  if (!hasPart || $from.depth === 0) return false
  const isBlank = $from.depth === 1 && $from.parent.content.size === 0
  const at = isBlank ? $from.before(1) : $from.after(1)
  tr.replaceWith(at, $from.after(1), content)
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + content.size), -1)).scrollIntoView())
  return true
}

function partAround({ selection: { $from } }: Transaction | EditorState): { part: ProseNode; at: number } | null {
  const part = $from.depth > 0 ? $from.node(1) : null
  return part?.type.name === 'hidden' ? { part, at: $from.before(1) } : null
}
