import { Extension, Node } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { ReactNodeViewRenderer } from '@tiptap/react'
import { firstCharacters } from '#base/characters.ts'
import { locks, type Lock } from '#base/rich-text/document.ts'
import { removeEmptyPart, focusLock, leaveBelow, pasteBelow } from '#base/editor/hidden-keys.ts'
import { HiddenView, WithheldView } from '#base/editor/hidden-view.tsx'

const attributes = () => ({
  id: { default: null, rendered: false, parseHTML: (part: HTMLElement) => part.dataset['part'] ?? null },
  lock: { default: 'comment', rendered: false, parseHTML: (part: HTMLElement) => lockOf(part) },
  value: { default: '', rendered: false, parseHTML: (part: HTMLElement) => firstCharacters(part.dataset['value'] ?? '', 200) },
})

/** A hidden part. No key joins content to it or lifts content out of it, so that a slip cannot reveal it. */
const hidden = Node.create({
  name: 'hidden',
  content: 'block+',
  isolating: true,
  defining: true,
  addAttributes: attributes,
  parseHTML: () => [{ tag: 'section[data-lock]', priority: 70 }],
  renderHTML: ({ node }) => ['section', dataOf(node), 0],
  addNodeView: () => ReactNodeViewRenderer(HiddenView),
})

/** A hidden part whose content is withheld from its editor: it stays unchanged. */
const withheld = Node.create({
  name: 'shut',
  atom: true,
  addAttributes: attributes,
  parseHTML: () => [{ tag: 'section[data-lock][data-shut]', priority: 80 }],
  renderHTML: ({ node }) => ['section', { ...dataOf(node), 'data-shut': '' }],
  addNodeView: () => ReactNodeViewRenderer(WithheldView),
})

function dataOf({ attrs: { id, lock, value } }: ProseNode): Record<string, string> {
  return { 'data-lock': lock, 'data-value': value, ...(id && { 'data-part': id }) }
}

function lockOf(part: HTMLElement): Lock {
  return locks.find((lock) => lock === part.dataset['lock']) ?? 'comment'
}

const keys = Extension.create({
  name: 'hiddenKeys',
  priority: 200,
  addKeyboardShortcuts() {
    const { editor } = this
    return {
      Enter: () => editor.commands.command(({ tr, dispatch }) => leaveBelow(tr, dispatch !== undefined)),
      Backspace: () => editor.commands.command(({ tr, dispatch }) => removeEmptyPart(tr, dispatch !== undefined)),
      'Shift-Tab': () => focusLock(editor),
    }
  },
  addProseMirrorPlugins: () => [new Plugin({ props: { handlePaste: (view, _, slice) => pasteBelow(view, slice) } })],
})

/** Hidden parts are only allowed at the top level. */
export const hiddenNodes = [hidden, withheld, keys]
