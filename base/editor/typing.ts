import {
  Extension,
  markInputRule,
  nodeInputRule,
  textblockTypeInputRule,
  wrappingInputRule,
  type Editor,
  type InputRule,
} from '@tiptap/core'
import { dropCursor } from '@tiptap/pm/dropcursor'
import { gapCursor } from '@tiptap/pm/gapcursor'
import { history, redo, undo } from '@tiptap/pm/history'
import { keymap } from '@tiptap/pm/keymap'
import type { NodeType } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { taskRule, toggleList } from '#base/editor/toggle-list.ts'
import { pastedAddresses } from '#base/editor/pasted-addresses.ts'
import { typedAddresses } from '#base/editor/typed-addresses.ts'

const marks = [
  ['bold', /(?<!\*)\*\*(?!\s)([^*]+)(?<!\s)\*\*$/],
  ['italic', /(?<!\*)\*(?![\s*])([^*]+)(?<!\s)\*$/],
  ['strike', /(?<!~)~~(?!\s)([^~]+)(?<!\s)~~$/],
  ['code', /(?<!`)`([^`]+)`$/],
] as const

/** Typing rules of every post: Markdown syntax, addresses, undo, and the keys for marks. */
export const typing = Extension.create({
  name: 'typing',
  addProseMirrorPlugins: () => [
    history(),
    keymap({ 'Mod-z': undo, 'Mod-y': redo, 'Mod-Shift-z': redo }),
    dropCursor({ color: false, class: 'drop-cursor' }),
    gapCursor(),
    pastedAddresses,
    typedAddresses,
  ],
  addInputRules() {
    const types = this.editor.schema.marks
    return marks.map(([name, find]) => markInputRule({ find, type: defined(types[name]) }))
  },
  addKeyboardShortcuts() {
    const toggle = (mark: string) => () => this.editor.commands.toggleMark(mark)
    return {
      'Mod-b': toggle('bold'),
      'Mod-i': toggle('italic'),
      'Mod-Shift-s': toggle('strike'),
      'Mod-e': toggle('code'),
      'Shift-Enter': () => breakLine(this.editor),
    }
  },
})

function breakLine(editor: Editor): boolean {
  if (editor.isActive('codeBlock')) return false
  const { storedMarks, selection } = editor.state
  const activeMarks = storedMarks ?? selection.$from.marks()
  return editor
    .chain()
    .insertContent({ type: 'hardBreak' })
    .command(({ tr }) => Boolean(tr.ensureMarks(activeMarks)))
    .run()
}

/** Typing rules for headings, lists, quotes and code. */
export const blockTyping = Extension.create({
  name: 'blockTyping',
  addProseMirrorPlugins: () => [lastParagraph],
  addInputRules() {
    const types = this.editor.schema.nodes
    return blockRules((name) => defined(types[name]))
  },
  addKeyboardShortcuts() {
    const { editor } = this
    const heading = (level: number) => () => editor.commands.toggleNode('heading', 'paragraph', { level })
    return {
      'Mod-Alt-2': heading(2),
      'Mod-Alt-3': heading(3),
      'Mod-Alt-4': heading(4),
      'Mod-Shift-7': () => toggleList(editor, 'orderedList'),
      'Mod-Shift-8': () => toggleList(editor, 'bulletList'),
      'Mod-Shift-9': () => toggleList(editor, 'taskList'),
      'Mod-Shift-b': () => editor.commands.toggleWrap('blockquote'),
      Enter: () => inItem(editor, (item) => editor.commands.splitListItem(item)),
      Tab: () => inItem(editor, (item) => editor.commands.sinkListItem(item)),
      'Shift-Tab': () => inItem(editor, (item) => editor.commands.liftListItem(item)),
      Backspace: () => isAtItemStart(editor) && inItem(editor, (item) => editor.commands.liftListItem(item)),
    }
  },
})

function blockRules(type: (name: string) => NodeType): InputRule[] {
  return [
    taskRule(),
    textblockTypeInputRule({
      find: /^(#{1,4})\s$/,
      type: type('heading'),
      getAttributes: ([, signs = '']) => ({ level: Math.max(2, signs.length) }),
    }),
    wrappingInputRule({ find: /^[-+*]\s$/, type: type('bulletList') }),
    wrappingInputRule({
      find: /^(\d{1,9})[.)、]\s$/,
      type: type('orderedList'),
      getAttributes: ([, number]) => ({ start: Number(number) }),
      joinPredicate: ([, number], list) => list.childCount + Number(list.attrs['start']) === Number(number),
    }),
    wrappingInputRule({
      find: /^\[([ xX]?)\]\s$/,
      type: type('taskItem'),
      getAttributes: ([, sign]) => ({ checked: /x/i.test(sign ?? '') }),
    }),
    wrappingInputRule({ find: /^[>》]\s$/, type: type('blockquote') }),
    nodeInputRule({ find: /^---$/, type: type('horizontalRule') }),
  ]
}

// A document that ends with a code block, table or picture needs a paragraph to continue in.
const lastParagraph = new Plugin({
  appendTransaction(_, __, { doc, schema, tr }) {
    const { paragraph } = schema.nodes
    return paragraph && doc.lastChild?.type !== paragraph ? tr.insert(doc.content.size, paragraph.create()) : null
  },
})

function inItem(editor: Editor, act: (item: string) => boolean): boolean {
  if (editor.isActive('codeBlock')) return false
  const { $from } = editor.state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const { name } = $from.node(depth).type
    if (name === 'listItem' || name === 'taskItem') return act(name)
    if (name === 'tableRow') return false
  }
  return false
}

function isAtItemStart({ state: { selection } }: Editor): boolean {
  const { $from, empty } = selection
  return empty && $from.parentOffset === 0 && $from.depth > 1 && $from.index(-1) === 0
}

function defined<T>(type: T | undefined): T {
  if (!type) throw new Error('The schema of posts lacks a node')
  return type
}
