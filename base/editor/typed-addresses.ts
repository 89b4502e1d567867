import type { Editor } from '@tiptap/core'
import { isHistoryTransaction } from '@tiptap/pm/history'
import { Plugin, PluginKey, type EditorState, type Transaction } from '@tiptap/pm/state'
import { addressesIn, continuesAddress } from '#base/rich-text/address.ts'
import { textOf } from '#base/editor/pasted-addresses.ts'

/** A range of typed text that may hold unlinked addresses. Text in a composition is left alone. */
type TypedRange = { from: number; to: number; isHeld: boolean }

const key = new PluginKey<TypedRange | null>('typedAddresses')

/** A transaction in which every address of the document is linked. */
export function linkAllAddresses(tr: Transaction): Transaction {
  return tr.setMeta(key, 'asWritten')
}

/** Links a typed address once it is complete, or the cursor has left it. */
export const typedAddresses = new Plugin<TypedRange | null>({
  key,
  state: { init: () => null, apply: typedAfter },
  appendTransaction(_, __, state) {
    const typed = key.getState(state)
    if (!typed || typed.isHeld) return null
    const { head } = state.selection
    return withLinks(state, typed, (from, to) => head >= from && (head <= to || continuesAddress(textBetween(state, to, head))))
  },
})

/** Links the address at the cursor, such as one that ends the post. */
export function linkAtCursor({ state, view }: Editor, typed: Omit<TypedRange, 'isHeld'> | null = key.getState(state) ?? null): void {
  const tr = typed && withLinks(state, typed, () => false)
  if (tr) view.dispatch(tr)
}

/** The same for a draft, in which the last edit is unknown. */
export function linkAll(editor: Editor): void {
  linkAtCursor(editor, { from: 0, to: editor.state.doc.content.size })
}

function withLinks(
  { doc, schema, tr }: EditorState,
  typed: Omit<TypedRange, 'isHeld'>,
  isOpen: (from: number, to: number) => boolean,
): Transaction | null {
  const { link } = schema.marks
  doc.nodesBetween(typed.from, typed.to, (node, at) => {
    if (!link || !node.isTextblock || !node.type.allowsMarkType(link)) return !node.isTextblock
    for (const address of addressesIn(textOf(node.content))) {
      const [from, to] = [at + 1 + address.from, at + 1 + address.to]
      if (address.href && to >= typed.from && from <= typed.to && !isOpen(from, to))
        tr.addMark(from, to, link.create({ href: address.href }))
    }
    return false
  })
  return tr.docChanged ? tr : null
}

function typedAfter(tr: Transaction, before: TypedRange | null, state: EditorState): TypedRange | null {
  // The whole text was replaced.
  if (tr.getMeta('preventUpdate')) return null
  const left = before?.isHeld ? before : before && atCursor(before, state)
  const ranges = left ? [{ from: tr.mapping.map(left.from, -1), to: tr.mapping.map(left.to, 1) }] : []
  if (isTyping(tr)) ranges.push(...insertedRanges(tr))
  if (ranges.length === 0) return null
  return {
    from: Math.min(...ranges.map(({ from }) => from)),
    to: Math.max(...ranges.map(({ to }) => to)),
    isHeld: tr.getMeta('composition') !== undefined,
  }
}

/** The range still at the cursor. All others have been checked. */
function atCursor({ from, to, isHeld }: TypedRange, state: EditorState): TypedRange | null {
  const { parent, parentOffset, pos } = state.selection.$head
  if (!parent.isTextblock) return null
  const text = textOf(parent.content)
  const start = pos - parentOffset
  let [begin, end] = [parentOffset, parentOffset]
  while (begin > 0 && continuesAddress(text[begin - 1] ?? '')) begin--
  while (end < text.length && continuesAddress(text[end] ?? '')) end++
  const left = { from: Math.max(from, start + begin), to: Math.min(to, start + end), isHeld }
  return left.from <= left.to ? left : null
}

function isTyping(tr: Transaction): boolean {
  return tr.getMeta(key) === undefined && !tr.getMeta('paste') && tr.getMeta('uiEvent') !== 'drop' && !isHistoryTransaction(tr)
}

function insertedRanges({ mapping }: Transaction): { from: number; to: number }[] {
  return mapping.maps.flatMap((map, at) => {
    const inserted: { from: number; to: number }[] = []
    const later = mapping.slice(at + 1)
    map.forEach((_, __, from, to) => {
      if (to > from) inserted.push({ from: later.map(from, -1), to: later.map(to, 1) })
    })
    return inserted
  })
}

function textBetween({ doc }: EditorState, from: number, to: number): string {
  return doc.textBetween(from, to, '\ufffc', '\ufffc')
}
