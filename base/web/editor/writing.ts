import { useEffect, useRef, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { MarkdownTooLong } from '#base/rich-text/markdown.ts'
import { documentFrom, nothingWritten } from '#base/web/editor/document-in-editor.ts'
import { forgetDraft } from '#base/web/editor/draft-place.ts'
import { keepDraft, keptDraft, type Draft } from '#base/web/editor/draft.ts'

export type View = 'rich' | 'markdown'

type Terms = { draftKey: string; isPlain: boolean; value: Doc | undefined; onChange: (doc: Doc) => void }

const readMs = 200

/** What is written, in both views: kept on the device at every keystroke, told to the form as a document. */
export function useWriting({ draftKey, isPlain, value, onChange }: Terms) {
  const [draft] = useState(() => keptDraft(draftKey, isPlain))
  const start = value ?? nothingWritten
  const [first] = useState<Doc>(() => (draft ? documentIn(draft, isPlain) : start))
  const [view, setView] = useState<View>(draft?.view ?? 'rich')
  const [text, setText] = useState(() => (draft?.view === 'markdown' ? draft.text : ''))
  const [isRestored, setRestored] = useState(draft !== null)
  const [isKept, setKept] = useState(true)
  const [isTooLong, setTooLong] = useState(false)
  const unread = useRef<ReturnType<typeof setTimeout>>(undefined)
  const written = useRef(text)

  useEffect(() => {
    if (draft) onChange(first)
    // What was restored is told once.
  }, [])

  function keep(next: Draft): void {
    setKept(keepDraft(draftKey, next))
  }

  function wroteRich(doc: Doc): void {
    if (JSON.stringify(doc) === JSON.stringify(start)) forgetDraft(draftKey)
    else keep({ view: 'rich', doc })
    onChange(doc)
  }

  function wroteMarkdown(markdown: string): void {
    setText(markdown)
    written.current = markdown
    keep({ view: 'markdown', text: markdown })
    clearTimeout(unread.current)
    unread.current = setTimeout(read, readMs)
  }

  /** Reads the Markdown at once; otherwise it is read when typing pauses. False when it is too long for that. */
  function read(): boolean {
    clearTimeout(unread.current)
    try {
      onChange(documentFrom(written.current, isPlain))
      setTooLong(false)
      return true
    } catch (error) {
      if (!(error instanceof MarkdownTooLong)) throw error
      setTooLong(true)
      return false
    }
  }

  function show(next: View, markdown = ''): void {
    clearTimeout(unread.current)
    setTooLong(false)
    written.current = markdown
    setText(markdown)
    setView(next)
  }

  function startAnew(): Doc {
    forgetDraft(draftKey)
    setRestored(false)
    setKept(true)
    show('rich')
    onChange(start)
    return start
  }

  return { first, view, text, isRestored, isKept, isTooLong, wroteRich, wroteMarkdown, read, show, startAnew }
}

function documentIn(draft: Draft, isPlain: boolean): Doc {
  return draft.view === 'rich' ? draft.doc : documentFrom(draft.text, isPlain)
}
