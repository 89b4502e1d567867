import type { Editor, JSONContent } from '@tiptap/core'
import type { Block, Doc, Node } from '#base/rich-text/document.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'

export const emptyDocument: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

/** The editor's content as a document. */
export function documentOf(editor: Editor): Doc {
  return normalise(withoutExtras(editor.getJSON() as Node) as Doc)
}

/** The editor's content, which ends with a paragraph for further text. */
export function contentFor(doc: Doc): JSONContent {
  const content = doc.content.map(withheldNode)
  return { type: 'doc', content: doc.content.at(-1)?.type === 'paragraph' ? content : [...content, { type: 'paragraph' }] }
}

/** A hidden part without its content is a different node in the editor. */
function withheldNode(block: Block): JSONContent {
  return block.type === 'hidden' && !block.content ? { ...block, type: 'shut' } : block
}

/** The editor allows bold mentions and spanning cells; a document does not. */
function withoutExtras({ type: inEditor, text, attrs, content, ...rest }: Node): Node {
  const type = inEditor === 'shut' ? 'hidden' : inEditor
  const isCell = type === 'tableCell' || type === 'tableHeader'
  return {
    type,
    ...(text !== undefined && { ...rest, text }),
    ...(attrs && { attrs: isCell ? { align: attrs['align'] } : attrs }),
    ...(content && { content: content.map(withoutExtras) }),
  }
}

/** The document of a Markdown text for this kind of post. A reply keeps unsupported syntax as plain text. */
export function documentFrom(markdown: string, isPlain: boolean): Doc {
  const doc = fromMarkdown(markdown)
  if (!isPlain) return doc
  return normalise({ type: 'doc', content: doc.content.flatMap(plainBlock) })
}

function plainBlock(block: Block): Block | Block[] {
  if (block.type === 'paragraph' || block.type === 'image') return block
  // Content meant to be hidden never becomes plain text: it stays a hidden part, which is refused.
  if (block.type === 'hidden') return { ...block, ...(block.content && { content: block.content.flatMap(plainBlock) }) }
  return asPlainText(block)
}

function asPlainText(block: Block): Block[] {
  return toMarkdown({ type: 'doc', content: [block] })
    .split('\n')
    .map((line): Block => ({ type: 'paragraph', ...(line && { content: [{ type: 'text', text: line }] }) }))
}

// A private-use character marks the cursor during the switch of views.
const cursor = '\ue0a1'

/** A document as Markdown, with the position of the editor's cursor. */
export function markdownAt(editor: Editor): { markdown: string; at: number } {
  const markdown = toMarkdown(documentOf(editor))
  const { state } = editor
  if (!state.selection.$head.parent.isTextblock) return { markdown, at: markdown.length }
  const marked = state.tr.insertText(cursor, state.selection.head).doc.toJSON() as Node
  return { markdown, at: Math.max(0, Math.min(markdown.length, toMarkdown(normalise(withoutExtras(marked) as Doc)).indexOf(cursor))) }
}

/** Loads Markdown into the editor, with the cursor at the same place in the text. */
export function showMarkdown(editor: Editor, markdown: string, at: number, isPlain: boolean): void {
  editor.commands.setContent(contentFor(documentFrom(markdown.slice(0, at) + cursor + markdown.slice(at), isPlain)), { emitUpdate: false })
  let place = editor.state.doc.content.size
  editor.state.doc.descendants((node, position) => {
    const found = node.text?.indexOf(cursor) ?? -1
    if (found >= 0) place = position + found
  })
  editor.commands.setContent(contentFor(documentFrom(markdown, isPlain)), { emitUpdate: false })
  editor.commands.setTextSelection(Math.min(place, editor.state.doc.content.size))
}
