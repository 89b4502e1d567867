import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { countCharacters } from '#base/characters.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { firstLineFault } from '#base/rich-text/line-fault.ts'
import { useBeforeSending } from '#base/editor/before-sending.ts'
import type { BatchNeighbours } from '#base/editor/batch-position.ts'
import { useBothViews } from '#base/editor/both-views.ts'
import { documentFrom } from '#base/editor/document-in-editor.ts'
import { currentDraft, open as openDraft, whenReplaced } from '#base/editor/draft-store.ts'
import { isEmpty as isNothing } from '#base/editor/draft-slots.ts'
import { listenToOtherTabs } from '#base/editor/draft-tabs.ts'
import type { HidingState } from '#base/editor/hiding-state.ts'
import { hasHardwareKeyboard } from '#base/editor/keyboard.ts'
import { useLatest } from '#base/editor/latest.ts'
import type { Suggest } from '#base/editor/mention-list.tsx'
import { registerEditor, insertions, unregisterEditor, type OpenEditor } from '#base/editor/open-editors.ts'
import { useRichEditor } from '#base/editor/rich-editor.ts'
import { rememberSrc } from '#base/editor/picture-src.ts'
import { linkAll, linkAtCursor } from '#base/editor/typed-addresses.ts'
import { replacePlaceholder, removePlaceholder, insertPlaceholders } from '#base/editor/upload-placeholders.ts'
import { useUploads, type FileCounts, type Uploader } from '#base/editor/upload-queue.ts'
import { useEditorText } from '#base/editor/writing.ts'

export type EditorProps = {
  label: string
  /** The current text; undefined for a new post. */
  value?: Doc | undefined
  onChange: (doc: Doc) => void
  draftKey: string
  /** Tall for a topic, medium for a comment; plain for characters only. Compact is one growing line, for a chat. */
  size: 'tall' | 'medium' | 'plain' | 'compact'
  /** The tools that are left out. */
  hidden?: readonly string[]
  /** The limits for hidden parts. */
  hiding?: HidingState
  /** Without it members cannot be mentioned. */
  suggestMembers?: Suggest
  files: Uploader
  /** Offers the AI assistant, whose answers can be inserted. */
  hasAssistant?: boolean
  /** The `accept` attribute of the picture chooser. */
  accept?: string
  error?: string | undefined
  /** A note about the text, such as that the session has ended. */
  note?: ReactNode
  /** The maximum length; a counter appears near it. */
  maxText?: number
  /** Replaces the default placeholder. */
  placeholder?: string
  /** An element beside the tools of a compact editor, such as its submit button. */
  beside?: ReactNode
}

/** The state and views of an editor. */
export function useWholeEditor({ value, onChange, draftKey, size, files, error, placeholder }: EditorProps) {
  const id = useId()
  const isPlain = size === 'plain'
  // The person has just opened this form, unlike one that is always on the page.
  const isCompact = size === 'compact'
  const takesFocus = isPlain || (size === 'medium' && value !== undefined) || (isCompact && hasHardwareKeyboard())
  const area = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  const writing = useEditorText({ draftKey, isPlain, value, onChange })
  const isRich = writing.view === 'rich'
  const send = () => frame.current?.closest('form')?.requestSubmit()
  const entered = () => registerEditor(open)
  const hands = {
    entered,
    openLink: () => setLinking(true),
    send,
    take: (brought: File[], at?: number | null) => uploads.take(brought, at),
    lost: (upload: number) => uploads.displace(upload),
  }
  const { editor, mentions } = useRichEditor({
    ...hands,
    isPlain,
    isCompact,
    takesFocus,
    placeholder,
    first: writing.first,
    id,
    wrote: writing.wroteRich,
  })
  const views = useBothViews({ editor, area, writing, isPlain })
  const uploads = useFiles({ editor, markdown: isRich ? null : writing.text, files, insert: views.insert })
  const open = useOpenEditor({ ...views, take: uploads.take, isPlain, draftKey })
  const read = () => (isRich ? (writing.isRestored ? linkAll(editor) : linkAtCursor(editor)) : void writing.read())
  const isHeld = useBeforeSending(frame, { isWaiting: uploads.all.some(({ error, told }) => error === null && told === null), read })

  useDraft(draftKey, views.begin)
  useInvalidState(editor.view.dom, error !== undefined)
  const { isEmpty, typed } = useEditorState({ editor, selector: ({ editor: it }) => ({ isEmpty: it.isEmpty, typed: lengthOf(it) }) })
  const wrongLine = useMemo(
    () => (!isRich && (writing.isJudged || error !== undefined) ? firstLineFault(writing.text) : null),
    [isRich, writing.isJudged, writing.text, error],
  )
  const used = isRich ? typed : countCharacters(writing.text)
  const panels = { link: { isOpen: isLinking, close: () => setLinking(false) }, emojiPanel: `${id}-emoji` }
  const state = { isPlain, isRich, isEmpty, isHeld, used, wrongLine }
  return { id, area, frame, editor, asking: mentions, writing, views, uploads, ...panels, ...state, ...hands }
}

function lengthOf({ state }: Editor): number {
  return countCharacters(state.doc.textContent)
}

/** Shows replacements of the draft from elsewhere, and registers the draft as open. */
function useDraft(draftKey: string, begin: () => void): void {
  useEffect(() => whenReplaced(draftKey, begin))
  useEffect(listenToOtherTabs, [])
  useEffect(() => openDraft(draftKey), [draftKey])
}

type FileInsertion = {
  editor: Editor
  markdown: string | null
  files: Uploader
  insert: (block: Block, neighbours: BatchNeighbours) => void
}

/** Uploads that run during typing, each inserted at its place, and a batch in its order. */
function useFiles({ editor, markdown, files, insert }: FileInsertion) {
  const [batches] = useState<Batch[]>(() => [])
  const uploads = useUploads({
    uploader: files,
    counts: () => (markdown === null ? fileCounts(editor) : fileCountsInMarkdown(markdown)),
    onEnd({ id, place }, brought) {
      if (editor.isDestroyed) return
      if (!brought) return removePlaceholder(editor, id)
      const { block, src } = brought
      if (src && block.type === 'image') rememberSrc(block.attrs.file, src)
      const isPlaced = place !== null && markdown === null && replacePlaceholder(editor, id, block)
      if (!isPlaced) {
        removePlaceholder(editor, id)
        insert(block, neighboursOf(id, batches))
      }
      if (block.type === 'image' || block.type === 'file') batches.find((batch) => batch.has(id))?.set(id, block.attrs.file)
    },
  })

  function take(brought: File[], at: number | null = null): void {
    const places = brought.map((file) => {
      const dom = markdown === null ? document.createElement('span') : null
      return { id: uploads.start(file, dom).id, dom }
    })
    batches.push(new Map(places.map(({ id }) => [id, null])))
    const placeholders = places.flatMap(({ id, dom }) => (dom ? [{ id, dom }] : []))
    if (placeholders.length > 0) insertPlaceholders(editor, placeholders, at)
  }
  return { ...uploads, take }
}

/** A batch of chosen files, in order, with their ids once uploaded. */
type Batch = Map<number, string | null>

function neighboursOf(id: number, batches: readonly Batch[]): BatchNeighbours {
  const others = [...(batches.find((batch) => batch.has(id)) ?? [])]
  const files = (all: typeof others) => all.flatMap(([, file]) => file ?? [])
  return { earlier: files(others.filter(([other]) => other < id)).toReversed(), later: files(others.filter(([other]) => other > id)) }
}

function fileCounts({ state }: Editor): FileCounts {
  const present = { pictures: 0, files: 0 }
  state.doc.descendants(({ type }) => {
    if (type.name === 'image') present.pictures++
    if (type.name === 'file') present.files++
  })
  return present
}

function fileCountsInMarkdown(text: string): FileCounts {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return { pictures: count(/\]\(file:[\w-]+#\d+x\d+\)/g), files: count(/\]\(file:[\w-]+#\d+\)/g) }
}

type EditorActions = {
  insert: (block: Block) => void
  insertAll: (blocks: readonly Block[]) => void
  current: () => Doc
  replace: (doc: Doc) => void
  take: (files: File[]) => void
  isPlain: boolean
  draftKey: string
}

/** Registers the editor for insertions of code and of the assistant's answers. */
function useOpenEditor(actions: EditorActions): OpenEditor {
  const latest = useLatest(actions)
  const parse = (markdown: string) => documentFrom(markdown, latest.current.isPlain)
  const [open] = useState<OpenEditor>(() => ({
    insertCode: (code, language) => put(() => latest.current.insert(codeContent(code, language, latest.current.isPlain))),
    insertMarkdown: (text) => put(() => latest.current.insertAll(parse(text).content)),
    insertPicture: (file) => put(() => latest.current.take([file])),
    quote: (text) => latest.current.insert(quoteOf(text, latest.current.isPlain)),
    parse,
    read: () => latest.current.current(),
    replace: (doc) => latest.current.replace(doc),
    isOf: (key) => latest.current.draftKey === key,
    hasUnsentText: () => !isNothing(currentDraft(latest.current.draftKey)),
  }))
  useEffect(() => {
    registerEditor(open)
    return () => unregisterEditor(open)
  }, [open])
  return open
}

function put(act: () => void): void {
  act()
  insertions.set(insertions.get() + 1)
}

/** Without a quote block, the text is put in quotation marks. */
function quoteOf(text: string, isPlain: boolean): Block {
  const toParagraph = (line: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })
  const lines = text.split(/\s*\n\s*/)
  return isPlain ? toParagraph(`“${lines.join(' ')}”`) : { type: 'blockquote', content: lines.map(toParagraph) }
}

function codeContent(code: string, language: string, isPlain: boolean): Block {
  const text = code.replace(/\n$/, '')
  if (!isPlain) return { type: 'codeBlock', attrs: { language }, ...(text && { content: [{ type: 'text', text }] }) }
  const lines = text.split('\n').filter((line) => line.trim())
  return {
    type: 'paragraph',
    content: lines.flatMap((line, place) => [
      ...(place > 0 ? [{ type: 'hardBreak' } as const] : []),
      { type: 'text', text: line, marks: [{ type: 'code' }] },
    ]),
  }
}

function useInvalidState(dom: HTMLElement, isWrong: boolean): void {
  useEffect(() => {
    if (isWrong) dom.setAttribute('aria-invalid', 'true')
    else dom.removeAttribute('aria-invalid')
  }, [dom, isWrong])
}
