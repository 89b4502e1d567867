import { Extension, type Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Fragment, Slice } from '@tiptap/pm/model'
import { Plugin, TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'
import type { Block, Inline } from '#base/rich-text/document.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { linkAllAddresses } from '#base/editor/typed-addresses.ts'
import { firstLineFault } from '#base/rich-text/line-fault.ts'

/** Pasted Markdown is converted; undo restores the text. With Shift it stays text. */
export const markdownPasting = Extension.create({
  name: 'markdownPasting',
  addProseMirrorPlugins() {
    let isShifted = false
    let isPasting = false
    const heard = (_: unknown, event: KeyboardEvent) => void (isShifted = event.shiftKey)
    return [
      new Plugin({
        props: {
          handleDOMEvents: { keydown: heard, keyup: heard },
          handlePaste: (view, { clipboardData }) => {
            if (isPasting || isShifted || !clipboardData || clipboardData.types.includes('text/html')) return false
            const text = clipboardData.getData('text/plain')
            const blocks = view.state.selection.$from.parent.type.spec.code ? null : blocksIn(text)
            if (!blocks) return false
            const pasted = withBlocks(this.editor, blocks)
            view.dispatch(closeHistory(view.state.tr))
            isPasting = true
            view.pasteText(text)
            isPasting = false
            view.dispatch(linkAllAddresses(replaceDifference(view.state, pasted)).scrollIntoView())
            return true
          },
        },
      }),
    ]
  },
})

const markdownSyntax = /^ {0,3}(?:#{1,6} |```|~~~|> ?\S|[-*+] \S|\d{1,3}[.)] \S|\|.*\|\s*$)|\*\*[^*\n]+\*\*|`[^`\n]+`|\]\(\S|~~[^~\n]+~~/m

/** The blocks of a Markdown text; null if it has no markup. */
function blocksIn(text: string): Block[] | null {
  if (!markdownSyntax.test(text) || firstLineFault(text)) return null
  const { content } = fromMarkdown(text)
  return content.some((block) => block.type !== 'paragraph' || block.content?.some(isMarked)) ? content : null
}

// An address is always a link.
function isMarked(inline: Inline): boolean {
  return inline.type === 'text' && Boolean(inline.marks?.some((mark) => mark.type !== 'link' || mark.attrs.href !== inline.text))
}

/** The editor's document with these blocks in place of the selection. */
function withBlocks({ state }: Editor, blocks: readonly Block[]): Transaction {
  const content = Fragment.from(blocks.map((block) => state.schema.nodeFromJSON(block)))
  return state.tr.replaceSelection(Slice.maxOpen(content))
}

/** Replaces only the differing range, as a separate undo step. */
function replaceDifference({ doc, tr }: EditorState, { doc: newDoc, selection }: Transaction): Transaction {
  const from = doc.content.findDiffStart(newDoc.content)
  const ends = doc.content.findDiffEnd(newDoc.content)
  if (from === null || !ends) return tr
  // The common prefix and suffix may overlap.
  const both = Math.max(0, from - Math.min(ends.a, ends.b))
  closeHistory(tr).replace(from, ends.a + both, newDoc.slice(from, ends.b + both))
  return tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(selection.to, tr.doc.content.size)), -1))
}
