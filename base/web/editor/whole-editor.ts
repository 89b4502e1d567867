import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { countOf } from '#base/characters.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { wrongLineIn } from '#base/rich-text/wrong-line.ts'
import { useBeforeSending } from '#base/web/editor/before-sending.ts'
import type { Others } from '#base/web/editor/beside.ts'
import { useBothViews } from '#base/web/editor/both-views.ts'
import { documentFrom } from '#base/web/editor/document-in-editor.ts'
import { draftHere, open as openDraft, whenReplaced } from '#base/web/editor/draft-place.ts'
import { isEmpty as isNothing } from '#base/web/editor/draft-slots.ts'
import { hearOtherTabs } from '#base/web/editor/draft-tabs.ts'
import type { Hiding } from '#base/web/editor/hiding.ts'
import { hasMouse } from '#base/web/editor/keyboard.ts'
import { useLatest } from '#base/web/editor/latest.ts'
import type { Suggest } from '#base/web/editor/mention-list.tsx'
import { enter, insertions, leave, type OpenEditor } from '#base/web/editor/open-editors.ts'
import { useRichEditor } from '#base/web/editor/rich-editor.ts'
import { rememberSrc } from '#base/web/editor/picture-src.ts'
import { linkAll, linkTyped } from '#base/web/editor/typed-addresses.ts'
import { bringToPlace, giveUpPlace, holdPlaces } from '#base/web/editor/upload-places.ts'
import { useUploads, type Present, type TakeFiles } from '#base/web/editor/upload-queue.ts'
import { useWriting } from '#base/web/editor/writing.ts'

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
  hiding?: Hiding
  /** Without it members cannot be mentioned. */
  suggestMembers?: Suggest
  files: TakeFiles
  /** Offers the AI assistant, whose answers can be inserted. */
  asksAssistant?: boolean
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
  const takesFocus = isPlain || (size === 'medium' && value !== undefined) || (isCompact && hasMouse())
  const area = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  const writing = useWriting({ draftKey, isPlain, value, onChange })
  const isRich = writing.view === 'rich'
  const send = () => frame.current?.closest('form')?.requestSubmit()
  const entered = () => enter(open)
  const hands = {
    entered,
    openLink: () => setLinking(true),
    send,
    take: (brought: File[], at?: number | null) => uploads.take(brought, at),
    lost: (upload: number) => uploads.displace(upload),
  }
  const { editor, asking } = useRichEditor({
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
  const open = useOpen({ ...views, take: uploads.take, isPlain, draftKey })
  const read = () => (isRich ? (writing.isRestored ? linkAll(editor) : linkTyped(editor)) : void writing.read())
  const isHeld = useBeforeSending(frame, { isWaiting: uploads.all.some(({ wrong, told }) => wrong === null && told === null), read })

  useDraft(draftKey, views.begin)
  useWrong(editor.view.dom, error !== undefined)
  const { isEmpty, typed } = useEditorState({ editor, selector: ({ editor: it }) => ({ isEmpty: it.isEmpty, typed: lengthOf(it) }) })
  const wrongLine = useMemo(
    () => (!isRich && (writing.isJudged || error !== undefined) ? wrongLineIn(writing.text) : null),
    [isRich, writing.isJudged, writing.text, error],
  )
  const used = isRich ? typed : countOf(writing.text)
  const panels = { link: { isOpen: isLinking, close: () => setLinking(false) }, emojiPanel: `${id}-emoji` }
  const state = { isPlain, isRich, isEmpty, isHeld, used, wrongLine }
  return { id, area, frame, editor, asking, writing, views, uploads, ...panels, ...state, ...hands }
}

function lengthOf({ state }: Editor): number {
  return countOf(state.doc.textContent)
}

/** Shows replacements of the draft from elsewhere, and registers the draft as open. */
function useDraft(draftKey: string, begin: () => void): void {
  useEffect(() => whenReplaced(draftKey, begin))
  useEffect(hearOtherTabs, [])
  useEffect(() => openDraft(draftKey), [draftKey])
}

type Bringing = { editor: Editor; markdown: string | null; files: TakeFiles; insert: (block: Block, others: Others) => void }

/** Uploads that run during typing, each inserted at its place, and a batch in its order. */
function useFiles({ editor, markdown, files, insert }: Bringing) {
  const [batches] = useState<Batch[]>(() => [])
  const uploads = useUploads({
    take: files,
    present: () => (markdown === null ? presentIn(editor) : presentInMarkdown(markdown)),
    ended({ id, place }, brought) {
      if (editor.isDestroyed) return
      if (!brought) return giveUpPlace(editor, id)
      const { block, src } = brought
      if (src && block.type === 'image') rememberSrc(block.attrs.file, src)
      const isPlaced = place !== null && markdown === null && bringToPlace(editor, id, block)
      if (!isPlaced) {
        giveUpPlace(editor, id)
        insert(block, othersOf(id, batches))
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
    const shown = places.flatMap(({ id, dom }) => (dom ? [{ id, dom }] : []))
    if (shown.length > 0) holdPlaces(editor, shown, at)
  }
  return { ...uploads, take }
}

/** A batch of chosen files, in order, with their ids once uploaded. */
type Batch = Map<number, string | null>

function othersOf(id: number, batches: readonly Batch[]): Others {
  const others = [...(batches.find((batch) => batch.has(id)) ?? [])]
  const files = (all: typeof others) => all.flatMap(([, file]) => file ?? [])
  return { earlier: files(others.filter(([other]) => other < id)).toReversed(), later: files(others.filter(([other]) => other > id)) }
}

function presentIn({ state }: Editor): Present {
  const present = { pictures: 0, files: 0 }
  state.doc.descendants(({ type }) => {
    if (type.name === 'image') present.pictures++
    if (type.name === 'file') present.files++
  })
  return present
}

function presentInMarkdown(text: string): Present {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return { pictures: count(/\]\(file:[\w-]+#\d+x\d+\)/g), files: count(/\]\(file:[\w-]+#\d+\)/g) }
}

type Opened = {
  insert: (block: Block) => void
  insertAll: (blocks: readonly Block[]) => void
  current: () => Doc
  replace: (doc: Doc) => void
  take: (files: File[]) => void
  isPlain: boolean
  draftKey: string
}

/** Registers the editor for insertions of code and of the assistant's answers. */
function useOpen(opened: Opened): OpenEditor {
  const latest = useLatest(opened)
  const parse = (markdown: string) => documentFrom(markdown, latest.current.isPlain)
  const [open] = useState<OpenEditor>(() => ({
    insertCode: (code, language) => put(() => latest.current.insert(codeIn(code, language, latest.current.isPlain))),
    insertMarkdown: (text) => put(() => latest.current.insertAll(parse(text).content)),
    insertPicture: (file) => put(() => latest.current.take([file])),
    quote: (text) => latest.current.insert(quoteOf(text, latest.current.isPlain)),
    parse,
    read: () => latest.current.current(),
    replace: (doc) => latest.current.replace(doc),
    isOf: (key) => latest.current.draftKey === key,
    isBegun: () => !isNothing(draftHere(latest.current.draftKey)),
  }))
  useEffect(() => {
    enter(open)
    return () => leave(open)
  }, [open])
  return open
}

function put(act: () => void): void {
  act()
  insertions.set(insertions.get() + 1)
}

/** Without a quote block, the text is put in quotation marks. */
function quoteOf(text: string, isPlain: boolean): Block {
  const said = (line: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })
  const lines = text.split(/\s*\n\s*/)
  return isPlain ? said(`“${lines.join(' ')}”`) : { type: 'blockquote', content: lines.map(said) }
}

function codeIn(code: string, language: string, isPlain: boolean): Block {
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

function useWrong(dom: HTMLElement, isWrong: boolean): void {
  useEffect(() => {
    if (isWrong) dom.setAttribute('aria-invalid', 'true')
    else dom.removeAttribute('aria-invalid')
  }, [dom, isWrong])
}
