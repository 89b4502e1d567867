import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node as ProseNode } from '@tiptap/pm/model'
import { useEffect, useRef, type RefObject } from 'react'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { wrongLineIn } from '#base/rich-text/wrong-line.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { besideInDocument, besideInMarkdown, noOthers, type Others } from '#base/web/editor/beside.ts'
import { contentFor, documentFrom, documentOf, markdownAt, showMarkdown } from '#base/web/editor/document-in-editor.ts'
import { insertBlock } from '#base/web/editor/insert-block.ts'
import { linkTyped } from '#base/web/editor/typed-addresses.ts'
import { withoutAtEnd, withoutAtStart } from '#base/without.ts'
import type { useWriting, View } from '#base/web/editor/writing.ts'

type ViewOptions = { editor: Editor; area: RefObject<HTMLTextAreaElement | null>; writing: ReturnType<typeof useWriting>; isPlain: boolean }

/** Goes from one view to the other, the cursor staying where it was, and puts things into whichever is in view. */
export function useBothViews({ editor, area, writing, isPlain }: ViewOptions) {
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
      linkTyped(editor)
      const { markdown, at } = markdownAt(editor)
      agreed.current = markdown
      caret.current = at
      writing.show('markdown', markdown)
    } else if (writing.read()) {
      if (writing.text !== agreed.current) {
        const wrong = wrongLineIn(writing.text)
        if (wrong) return stayAt(wrong.line)
        showMarkdown(editor, writing.text, area.current?.selectionStart ?? 0, isPlain)
        writing.wroteRich(documentOf(editor))
      }
      writing.show('rich')
      // Only what is shown can have the focus.
      setTimeout(() => editor.commands.focus())
    }
  }

  // What is no part would look like one there, or have no place. It stays as it was typed until it is one.
  function stayAt(line: number): void {
    const at = writing.text.split('\n', line).join('\n').length
    writing.judge()
    area.current?.focus()
    area.current?.setSelectionRange(at, at)
  }

  // Another hand put something in the draft's place.
  const begin = () => editor.commands.setContent(contentFor(writing.begin()), { emitUpdate: false })

  return { see, begin, ...usePutting({ editor, area, writing, isPlain }, caret) }
}

/** Puts things where the cursor is, in whichever view is shown. */
function usePutting({ editor, area, writing, isPlain }: ViewOptions, caret: RefObject<number | null>) {
  /** Puts a block where the cursor is, which then stands below it; or beside others that it belongs to. */
  function insert(block: Block, others: Others = noOthers): void {
    if (writing.view === 'rich') return insertInto(editor, block, besideInDocument(editor.state.doc, others))
    const selection = selectionIn(area.current, writing.text)
    const beside = besideInMarkdown(writing.text, others)
    const next = withBlocks(writing.text, beside ?? selection.from, beside ?? selection.to, [block])
    writing.wroteMarkdown(next.text)
    caret.current = beside === null ? next.caret : moved(selection.from, beside, writing.text.length, next)
  }

  /** Puts blocks where the cursor is, in their order, as one step that can be undone. */
  function insertAll(blocks: readonly Block[]): void {
    if (writing.view === 'rich') return insertAllInto(editor, blocks)
    const { from, to } = selectionIn(area.current, writing.text)
    const next = withBlocks(writing.text, from, to, blocks)
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

  /** The current text. */
  function current(): Doc {
    return writing.view === 'rich' ? documentOf(editor) : documentFrom(writing.text, isPlain)
  }

  /** Puts another text in place of all that is written, as one step that can be undone. */
  function replace(doc: Doc): void {
    if (writing.view === 'rich') {
      // Typing just before it is another step.
      editor.view.dispatch(closeHistory(editor.state.tr))
      editor.commands.setContent(contentFor(doc))
      return
    }
    area.current?.focus()
    area.current?.select()
    // As if it were typed, so that the browser can undo it.
    document.execCommand('insertText', false, toMarkdown(doc))
  }

  return { insert, insertAll, insertText, current, replace }
}

function selectionIn(area: HTMLTextAreaElement | null, { length }: string): { from: number; to: number } {
  return { from: area?.selectionStart ?? length, to: area?.selectionEnd ?? length }
}

function insertInto(editor: Editor, block: Block, beside: number | null): void {
  const { state, view } = editor
  const { tr } = state
  const node = state.schema.nodeFromJSON(block)
  if (beside === null) insertBlock(tr, node)
  else tr.replaceRangeWith(beside, beside, node)
  view.dispatch(tr)
}

function insertAllInto({ state, view }: Editor, blocks: readonly Block[]): void {
  const { tr } = state
  for (const block of blocks) insertBlock(tr, state.schema.nodeFromJSON(block))
  view.dispatch(tr)
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

/** A text with blocks in place of a selection, on lines of their own. */
function withBlocks(text: string, from: number, to: number, blocks: readonly Block[]): { text: string; caret: number } {
  const above = withoutAtEnd(text.slice(0, from), '\n')
  const before = above && `${above}\n\n`
  const until = `${before}${toMarkdown({ type: 'doc', content: [...blocks] })}\n\n`
  return { text: until + withoutAtStart(text.slice(to), '\n'), caret: until.length }
}

/** Where the cursor is once something was put in at a place away from it. */
function moved(before: number, at: number, length: number, next: { text: string; caret: number }): number {
  return before < at ? before : Math.max(next.caret, next.text.length - (length - before))
}
