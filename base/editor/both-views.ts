import type { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node as ProseNode } from '@tiptap/pm/model'
import { useEffect, useRef, type RefObject } from 'react'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { firstLineFault } from '#base/rich-text/line-fault.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { positionInDocument, positionInMarkdown, noNeighbours, type BatchNeighbours } from '#base/editor/batch-position.ts'
import { contentFor, documentFrom, documentOf, markdownAt, showMarkdown } from '#base/editor/document-in-editor.ts'
import { insertBlock } from '#base/editor/insert-block.ts'
import { linkAtCursor } from '#base/editor/typed-addresses.ts'
import { trimEndChars, trimStartChars } from '#base/trim.ts'
import type { useEditorText, View } from '#base/editor/writing.ts'

type ViewOptions = {
  editor: Editor
  area: RefObject<HTMLTextAreaElement | null>
  writing: ReturnType<typeof useEditorText>
  isPlain: boolean
}

/** Switches between the two views, keeping the cursor's position, and inserts into the current one. */
export function useBothViews({ editor, area, writing, isPlain }: ViewOptions) {
  // The Markdown equal to the rich view's content. While it is unchanged, the rich view and its undo history stay.
  const lastMarkdown = useRef(writing.text)
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
      linkAtCursor(editor)
      const { markdown, at } = markdownAt(editor)
      lastMarkdown.current = markdown
      caret.current = at
      writing.show('markdown', markdown)
    } else if (writing.read()) {
      if (writing.text !== lastMarkdown.current) {
        const wrong = firstLineFault(writing.text)
        if (wrong) return stayAtLine(wrong.line)
        showMarkdown(editor, writing.text, area.current?.selectionStart ?? 0, isPlain)
        writing.wroteRich(documentOf(editor))
      }
      writing.show('rich')
      // Only a visible view can have the focus.
      setTimeout(() => editor.commands.focus())
    }
  }

  // The rich view would take a malformed hidden part for a real one, or have no place for it. The Markdown view stays until it is fixed.
  function stayAtLine(line: number): void {
    const at = writing.text.split('\n', line).join('\n').length
    writing.judge()
    area.current?.focus()
    area.current?.setSelectionRange(at, at)
  }

  // The draft was replaced from elsewhere.
  const begin = () => editor.commands.setContent(contentFor(writing.begin()), { emitUpdate: false })

  return { see, begin, ...useInsertion({ editor, area, writing, isPlain }, caret) }
}

/** Inserts at the cursor of the current view. */
function useInsertion({ editor, area, writing, isPlain }: ViewOptions, caret: RefObject<number | null>) {
  /** Inserts a block at the cursor, which moves below it; or beside others of its batch. */
  function insert(block: Block, neighbours: BatchNeighbours = noNeighbours): void {
    if (writing.view === 'rich') return insertInto(editor, block, positionInDocument(editor.state.doc, neighbours))
    const selection = selectionIn(area.current, writing.text)
    const beside = positionInMarkdown(writing.text, neighbours)
    const next = withBlocks(writing.text, beside ?? selection.from, beside ?? selection.to, [block])
    writing.wroteMarkdown(next.text)
    caret.current = beside === null ? next.caret : shiftedCaret(selection.from, beside, writing.text.length, next)
  }

  /** Inserts blocks at the cursor, in order, as one undo step. */
  function insertAll(blocks: readonly Block[]): void {
    if (writing.view === 'rich') return insertAllInto(editor, blocks)
    const { from, to } = selectionIn(area.current, writing.text)
    const next = withBlocks(writing.text, from, to, blocks)
    writing.wroteMarkdown(next.text)
    caret.current = next.caret
  }

  /** Inserts text at the cursor as if typed. */
  function insertText(text: string): void {
    if (writing.view === 'rich') return typeInto(editor, text)
    const { from, to } = selectionIn(area.current, writing.text)
    writing.wroteMarkdown(writing.text.slice(0, from) + text + writing.text.slice(to))
    caret.current = from + text.length
  }

  function current(): Doc {
    return writing.view === 'rich' ? documentOf(editor) : documentFrom(writing.text, isPlain)
  }

  /** Replaces the whole text as one undo step. */
  function replace(doc: Doc): void {
    if (writing.view === 'rich') {
      // The typing before it is a separate undo step.
      editor.view.dispatch(closeHistory(editor.state.tr))
      editor.commands.setContent(contentFor(doc))
      return
    }
    area.current?.focus()
    area.current?.select()
    // As if typed, so that the browser can undo it.
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
  // Beside a selected picture, not in its place.
  const tr = $to.parent.inlineContent ? state.tr.insertText(text) : state.tr.insert(to, paragraphOf(editor, text))
  view.dispatch(tr.scrollIntoView())
  editor.commands.focus()
}

function paragraphOf({ schema }: Editor, text: string): ProseNode {
  return schema.nodeFromJSON({ type: 'paragraph', content: [{ type: 'text', text }] })
}

/** A text with blocks in place of a selection, on lines of their own. */
function withBlocks(text: string, from: number, to: number, blocks: readonly Block[]): { text: string; caret: number } {
  const above = trimEndChars(text.slice(0, from), '\n')
  const before = above && `${above}\n\n`
  const until = `${before}${toMarkdown({ type: 'doc', content: [...blocks] })}\n\n`
  return { text: until + trimStartChars(text.slice(to), '\n'), caret: until.length }
}

/** The cursor's position after an insertion elsewhere. */
function shiftedCaret(before: number, at: number, length: number, next: { text: string; caret: number }): number {
  return before < at ? before : Math.max(next.caret, next.text.length - (length - before))
}
