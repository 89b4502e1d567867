import { useEffect, useRef, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { MarkdownTooLong } from '#base/rich-text/markdown.ts'
import { documentFrom, emptyDocument } from '#base/editor/document-in-editor.ts'
import { clearDraft, clearText } from '#base/editor/draft-store.ts'
import { storeDraft, storedDraft, type Draft } from '#base/editor/draft.ts'
import { useLatest } from '#base/editor/latest.ts'

export type View = 'rich' | 'markdown'

type WritingOptions = { draftKey: string; isPlain: boolean; value: Doc | undefined; onChange: (doc: Doc) => void }

/** The text in both views: stored on the device at every keystroke, passed to the form as a document. */
export function useEditorText({ draftKey, isPlain, value = emptyDocument, onChange }: WritingOptions) {
  const [began] = useState(() => initialState(storedDraft(draftKey, isPlain), value, isPlain))
  const [view, setView] = useState<View>(began.view)
  const [isRestored, setRestored] = useState(began.isRestored)
  const [isKept, setKept] = useState(true)
  const markdown = useMarkdown(began.text, isPlain, onChange)
  const tell = useLatest(onChange)
  useEffect(() => {
    if (began.isRestored) tell.current(began.doc)
  }, [began, tell])

  function wroteRich(doc: Doc): void {
    if (JSON.stringify(doc) === JSON.stringify(value)) clearText(draftKey)
    else setKept(storeDraft(draftKey, { view: 'rich', doc }))
    onChange(doc)
  }

  function wroteMarkdown(text: string): void {
    setKept(storeDraft(draftKey, { view: 'markdown', text }))
    markdown.write(text)
  }

  function show(next: View, text = ''): void {
    markdown.begin(text)
    setView(next)
  }

  /** Reloads the stored draft. */
  function begin(): Doc {
    const anew = initialState(storedDraft(draftKey, isPlain), value, isPlain)
    setRestored(anew.isRestored)
    setKept(true)
    show(anew.view, anew.text)
    onChange(anew.doc)
    return anew.doc
  }

  const { text, isTooLong, isJudged, judge, read } = markdown
  const state = { first: began.doc, view, text, isTooLong, isJudged, isRestored, isKept }
  return { ...state, wroteRich, wroteMarkdown, read, judge, show, begin, drop: () => clearDraft(draftKey) }
}

type InitialState = { doc: Doc; view: View; text: string; isRestored: boolean }

function initialState(draft: Draft | null, value: Doc, isPlain: boolean): InitialState {
  if (!draft) return { doc: value, view: 'rich', text: '', isRestored: false }
  if (draft.view === 'rich') return { doc: draft.doc, view: 'rich', text: '', isRestored: true }
  return { doc: documentFrom(draft.text, isPlain), view: 'markdown', text: draft.text, isRestored: true }
}

const parseDelayMs = 200

/** The text of the Markdown view. It is parsed after a pause, and whenever the document is needed. */
function useMarkdown(first: string, isPlain: boolean, onChange: (doc: Doc) => void) {
  const [text, setText] = useState(first)
  const [isTooLong, setTooLong] = useState(false)
  const [isJudged, judge] = useState(false)
  const written = useRef(first)
  const unread = useRef<ReturnType<typeof setTimeout>>(undefined)

  function begin(next: string): void {
    take(next)
    judge(false)
  }

  function take(next: string): void {
    clearTimeout(unread.current)
    setTooLong(false)
    written.current = next
    setText(next)
  }

  function write(next: string): void {
    take(next)
    unread.current = setTimeout(read, parseDelayMs)
  }

  /** False if it is too long to parse. */
  function read(): boolean {
    clearTimeout(unread.current)
    try {
      onChange(documentFrom(written.current, isPlain))
      return true
    } catch (error) {
      if (!(error instanceof MarkdownTooLong)) throw error
      setTooLong(true)
      return false
    }
  }

  return { text, isTooLong, isJudged, judge: () => judge(true), begin, write, read }
}
