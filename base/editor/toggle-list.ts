import { InputRule, type Editor } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'
import { TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'

const items = { bulletList: 'listItem', orderedList: 'listItem', taskList: 'taskItem' } as const
export type ListName = keyof typeof items

/** Turns the selected blocks into a list, a list into another kind, or a list of this kind into paragraphs. */
export function toggleList(editor: Editor, name: ListName): boolean {
  const around = surroundingList(editor.state)
  if (!around) return editor.chain().focus().wrapInList(name).run()
  if (around.list.type.name === name) return editor.chain().focus().liftListItem(items[name]).run()
  return editor
    .chain()
    .focus()
    .command(({ tr }) => convertList(tr, around, name, false))
    .run()
}

/** `[ ] ` at the beginning of an item makes its list a task list; `[x] ` in a task ticks it. */
export function taskRule(): InputRule {
  return new InputRule({
    find: /^\[([ xX]?)\]\s$/,
    handler({ state, range, match: [, sign = ''] }) {
      const { tr } = state
      const { $from } = state.selection
      const around = surroundingList(state)
      if (!around || $from.depth !== around.depth + 2 || $from.index(-1) > 0) return null
      const isTicked = /x/i.test(sign)
      const itemAt = $from.before(around.depth + 1)
      tr.delete(range.from, range.to)
      if (around.list.type.name === 'taskList') tr.setNodeAttribute(itemAt, 'checked', isTicked)
      else convertList(tr, { ...around, list: tr.doc.nodeAt(around.at) ?? around.list }, 'taskList', isTicked ? itemAt : null)
      return undefined
    },
  })
}

type SurroundingList = { list: ProseNode; at: number; depth: number }

export function surroundingList({ selection: { $from } }: EditorState): SurroundingList | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (Object.hasOwn(items, node.type.name)) return { list: node, at: $from.before(depth), depth }
  }
  return null
}

/** Lists of all kinds have the same node sizes, so the cursor's position stays valid. */
function convertList(tr: Transaction, { list, at }: SurroundingList, name: ListName, tickedAt: number | null | false): boolean {
  const { nodes } = list.type.schema
  const listType = nodes[name]
  const item = nodes[items[name]]
  if (!listType || !item) return false
  const { from, to } = tr.selection
  const turned: ProseNode[] = []
  list.forEach((old, offset) =>
    turned.push(item.create(item.name === 'taskItem' ? { checked: at + 1 + offset === tickedAt } : null, old.content)),
  )
  tr.replaceWith(at, at + list.nodeSize, listType.create(null, turned))
  tr.setSelection(TextSelection.create(tr.doc, from, to))
  return true
}
