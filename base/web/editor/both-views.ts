import type { Editor } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'
import { useEffect, useRef, type RefObject } from 'react'
import type { Block } from '#base/rich-text/document.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { afterTable } from '#base/web/editor/after-table.ts'
import { contentFor, documentOf, markdownAt, showMarkdown } from '#base/web/editor/document-in-editor.ts'
import type { useWriting, View } from '#base/web/editor/writing.ts'

type Terms = { editor: Editor; area: RefObject<HTMLTextAreaElement | null>; writing: ReturnType<typeof useWriting>; isPlain: boolean }

/** Goes from one view to the other, the cursor staying where it was, and puts things into whichever is in view. */
export function useBothViews({ editor, area, writing, isPlain }: Terms) {
  // The Markdown that says what the rich view holds. While it is the same, that view is left as it is, its history too.
  const agreed = useRef(writing.text)
  const caret = useRef<number | null>(null)
  useEffect(() => {
    if (caret.current === null || !area.current) return
    area.current.focus()
    area.current.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  function see(view: View): void {
    if (view === writing.view) return
    if (view === 'markdown') {
      const { markdown, at } = markdownAt(editor)
      agreed.current = markdown
      caret.current = at
      writing.show('markdown', markdown)
    } else if (writing.read()) {
      if (writing.text !== agreed.current) {
        showMarkdown(editor, writing.text, area.current?.selectionStart ?? 0, isPlain)
        writing.wroteRich(documentOf(editor))
      }
      writing.show('rich')
      // Only what is shown can have the focus.
      setTimeout(() => editor.commands.focus())
    }
  }

  // Another hand put something in the draft's place.
  const begin = () => editor.commands.setContent(contentFor(writing.begin()), { emitUpdate: false })

  return { see, begin, ...usePutting({ editor, area, writing }, caret) }
}

/** Puts things where the cursor is, in whichever view is shown. */
function usePutting({ editor, area, writing }: Omit<Terms, 'isPlain'>, caret: RefObject<number | null>) {
  /** Puts a block where the cursor is, or at a place in the rich view. */
  function insert(block: Block, at: number | null = null): void {
    if (writing.view === 'rich') {
      const { state, view } = editor
      const place = afterTable(state.doc, at ?? state.selection.to)
      view.dispatch(state.tr.replaceRangeWith(place, place, state.schema.nodeFromJSON(block)).scrollIntoView())
      return
    }
    const { from, to } = selectionIn(area.current, writing.text)
    const next = withBlock(writing.text, from, to, block)
    writing.wroteMarkdown(next.text)
    caret.current = next.caret
  }

  /** Puts characters where the cursor is, as if they were typed. */
  function insertText(text: string): void {
    if (writing.view === 'rich') return typeInto(editor, text)
    const { from, to } = selectionIn(area.current, writing.text)
    writing.wroteMarkdown(writing.text.slice(0, from) + text + writing.text.slice(to))
    caret.current = from + text.length
  }

  return { insert, insertText }
}

function selectionIn(area: HTMLTextAreaElement | null, { length }: string): { from: number; to: number } {
  return { from: area?.selectionStart ?? length, to: area?.selectionEnd ?? length }
}

function typeInto(editor: Editor, text: string): void {
  const { state, view } = editor
  const { $to, to } = state.selection
  // Beside a picture that is chosen, not in its place.
  const tr = $to.parent.inlineContent ? state.tr.insertText(text) : state.tr.insert(to, paragraphOf(editor, text))
  view.dispatch(tr.scrollIntoView())
  editor.commands.focus()
}

function paragraphOf({ schema }: Editor, text: string): ProseNode {
  return schema.nodeFromJSON({ type: 'paragraph', content: [{ type: 'text', text }] })
}

/** A text with a block in place of a selection, on lines of its own. */
function withBlock(text: string, from: number, to: number, block: Block): { text: string; caret: number } {
  const before = text.slice(0, from).replace(/\n*$/, (ends) => (from > ends.length ? '\n\n' : ''))
  const until = `${before}${toMarkdown({ type: 'doc', content: [block] })}\n\n`
  return { text: until + text.slice(to).replace(/^\n+/, ''), caret: until.length }
}
