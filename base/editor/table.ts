import { Node } from '@tiptap/core'
import { DOMParser, Fragment, type Node as ProseNode, type Schema } from '@tiptap/pm/model'
import { Plugin, TextSelection, type Command, type EditorState, type Transaction } from '@tiptap/pm/state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  selectedRect,
  tableEditing,
} from '@tiptap/pm/tables'
import type { Align } from '#base/rich-text/document.ts'
import { insertBlock } from '#base/editor/insert-block.ts'

const aligns: readonly unknown[] = ['left', 'center', 'right']

/** The table roles of ProseMirror, for every node of the schema. */
const roles: Record<string, string> = { table: 'table', tableRow: 'row', tableHeader: 'header_cell', tableCell: 'cell' }

const table = Node.create({
  name: 'table',
  extendNodeSchema: ({ name }) => (roles[name] ? { tableRole: roles[name] } : {}),
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['div', { class: 'table', dir: 'auto' }, ['table', ['tbody', 0]]],
  addKeyboardShortcuts() {
    return {
      Tab: () =>
        isInTable(this.editor.state) &&
        (run(this.editor, goToNextCell(1)) || (run(this.editor, addRowAfter) && run(this.editor, goToNextCell(1)))),
      'Shift-Tab': () => isInTable(this.editor.state) && run(this.editor, goToNextCell(-1)),
      Enter: () => isInTable(this.editor.state) && this.editor.commands.insertContent({ type: 'hardBreak' }),
    }
  },
  addProseMirrorPlugins: () => [tableEditing(), firstRowHeads],
})

const tableRow = Node.create({
  name: 'tableRow',
  content: '(tableHeader | tableCell)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const tableHeader = cellNode('tableHeader', 'th')
const tableCell = cellNode('tableCell', 'td')

export const tableNodes = [table, tableRow, tableHeader, tableCell]

function cellNode(name: string, tag: 'td' | 'th') {
  const unspanned = { default: 1, rendered: false, parseHTML: () => null }
  return Node.create({
    name,
    content: 'paragraph',
    isolating: true,
    addAttributes: () => ({
      colspan: unspanned,
      rowspan: unspanned,
      align: { default: null, parseHTML: alignOf, renderHTML: ({ align }) => (align ? { class: align } : {}) },
    }),
    parseHTML: () => [{ tag, getContent: (cell, schema) => Fragment.from(inOneParagraph(cell as HTMLElement, schema)) }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })
}

function alignOf(cell: HTMLElement): Align {
  const found = [cell.style.textAlign, cell.getAttribute('align'), ...cell.classList].find((name) => aligns.includes(name))
  return (found as Align | undefined) ?? null
}

/** A cell holds one paragraph; pasted blocks are merged into it, separated by line breaks. */
function inOneParagraph(cell: HTMLElement, schema: Schema): ProseNode {
  const inlines: ProseNode[] = []
  DOMParser.fromSchema(schema)
    .parse(cell)
    .descendants((node) => {
      if (!node.isTextblock) return true
      if (inlines.length > 0 && node.childCount > 0 && schema.nodes['hardBreak']) inlines.push(schema.nodes['hardBreak'].create())
      node.forEach((child) => inlines.push(child))
      return false
    })
  const paragraph = schema.nodes['paragraph']
  if (!paragraph) throw new Error('A cell needs paragraphs')
  return paragraph.create(null, inlines)
}

// The first row of a table is always its only header.
const firstRowHeads = new Plugin({
  appendTransaction(transactions, _, state) {
    if (!transactions.some(({ docChanged }) => docChanged)) return null
    const { tr } = state
    state.doc.descendants((node, at) => {
      if (node.type.name === 'table') headsOf(node, at, tr)
      return !node.isTextblock
    })
    return tr.docChanged ? tr : null
  },
})

function headsOf(whole: ProseNode, at: number, tr: Transaction): void {
  whole.forEach((row, rowAt, place) => {
    row.forEach((cell, cellAt) => {
      const cellType = cell.type.schema.nodes[place === 0 ? 'tableHeader' : 'tableCell']
      if (cellType && cell.type !== cellType) tr.setNodeMarkup(at + 1 + rowAt + 1 + cellAt, cellType, cell.attrs)
    })
  })
}

type TableEditor = { state: EditorState; view: { dispatch: (tr: Transaction) => void } }

function run(editor: TableEditor, command: Command): boolean {
  return command(editor.state, editor.view.dispatch)
}

export const tableCommands = ['addRow', 'addColumn', 'removeRow', 'removeColumn', 'removeTable'] as const
export type TableCommand = (typeof tableCommands)[number]

const commands: Record<TableCommand, Command> = {
  addRow: addRowAfter,
  addColumn: addColumnAfter,
  removeRow: deleteRow,
  removeColumn: deleteColumn,
  removeTable: deleteTable,
}

export function doInTable(editor: TableEditor, command: TableCommand): void {
  const { state } = editor
  const rect = selectedRect(state)
  const isAll =
    command === 'removeRow'
      ? rect.bottom - rect.top === rect.map.height
      : command === 'removeColumn' && rect.right - rect.left === rect.map.width
  run(editor, isAll ? deleteTable : commands[command])
}

/** Inserts a table of three columns and rows, with the cursor in the first cell. */
export function insertTable({ state, view }: TableEditor): void {
  const { paragraph, tableCell: cell, tableHeader: head, tableRow: row, table: whole } = state.schema.nodes
  if (!paragraph || !cell || !head || !row || !whole) return
  const rowOf = (type: typeof cell) =>
    row.create(
      null,
      [0, 1, 2].map(() => type.create(null, paragraph.create())),
    )
  const { tr } = state
  const at = insertBlock(tr, whole.create(null, [rowOf(head), rowOf(cell), rowOf(cell)]))
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))))
}

export function alignOfColumn(state: EditorState): Align {
  if (!isInTable(state)) return null
  const { map, table: whole, left, top } = selectedRect(state)
  return (whole.nodeAt(map.map[top * map.width + left] ?? 0)?.attrs['align'] as Align | undefined) ?? null
}

export function alignColumn({ state, view }: TableEditor, align: Align): void {
  const { map, tableStart, left, right } = selectedRect(state)
  const { tr } = state
  for (let row = 0; row < map.height; row++) {
    for (let column = left; column < right; column++)
      tr.setNodeAttribute(tableStart + (map.map[row * map.width + column] ?? 0), 'align', align)
  }
  view.dispatch(tr)
}
