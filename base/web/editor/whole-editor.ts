import { useEditorState } from '@tiptap/react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Block } from '#base/rich-text/document.ts'
import type { CodeLanguage } from '#base/rich-text/code-language.ts'
import { useBeforeSending } from '#base/web/editor/before-sending.ts'
import { useBothViews } from '#base/web/editor/both-views.ts'
import { whenCleared } from '#base/web/editor/draft-place.ts'
import type { EditorProps } from '#base/web/editor/editor.tsx'
import { enter, leave, type OpenEditor } from '#base/web/editor/open-editors.ts'
import { useRichEditor } from '#base/web/editor/rich-editor.ts'
import { giveUpPlace, holdPlace } from '#base/web/editor/upload-places.ts'
import { useUploads, type Upload, type Uploaded } from '#base/web/editor/uploads.tsx'
import { useWriting } from '#base/web/editor/writing.ts'

/** All that an editor is made of, tied together. */
export function useWholeEditor({ value, onChange, draftKey, kind, upload, error }: EditorProps) {
  const id = useId()
  const isPlain = kind === 'reply'
  const area = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  const writing = useWriting({ draftKey, isPlain, value, onChange })
  const isRich = writing.view === 'rich'
  const openLink = () => setLinking(true)
  const send = () => frame.current?.closest('form')?.requestSubmit()
  const entered = () => enter(open)
  const { editor, asking } = useRichEditor({
    isPlain,
    first: writing.first,
    labelId: id,
    noteId: `${id}-note`,
    wrote: writing.wroteRich,
    entered,
    openLink,
    send,
    take,
  })
  const views = useBothViews({ editor, area, writing, isPlain })
  const pictures = useUploads(upload, (one, picture) => {
    if (editor.isDestroyed) return
    const at = giveUpPlace(editor, one.id)
    if (picture) views.insert(blockOf(picture), at)
  })
  const open = useOpen(views.insert, isPlain)
  const isHeld = useBeforeSending(frame, {
    isWaiting: pictures.uploads.some(({ wrong }) => wrong === null),
    read: () => void (!isRich && writing.read()),
  })

  function take(files: File[], at: number | null = null): void {
    const begin = (one: Upload) => isRich && holdPlace(editor, one.id, at, one.preview)
    for (const file of files) void pictures.start(file, begin)
  }

  useEffect(() => whenCleared(draftKey, views.startAnew))
  useWrong(editor.view.dom, error !== undefined)
  const { isEmpty, used } = useEditorState({
    editor,
    selector: ({ editor: it }) => ({ isEmpty: it.isEmpty, used: it.state.doc.textContent.length }),
  })
  return {
    ...{
      id,
      isPlain,
      isRich,
      isEmpty,
      isHeld,
      isLinking,
      area,
      frame,
      editor,
      asking,
      writing,
      views,
      pictures,
      take,
      send,
      entered,
      openLink,
    },
    closeLink: () => setLinking(false),
    used: isRich ? used : writing.text.length,
  }
}

function blockOf({ file, width, height }: Uploaded): Block {
  return { type: 'image', attrs: { file, alt: '', width, height } }
}

/** Lets code from the posts on the page be put in here. */
function useOpen(insert: (block: Block) => void, isPlain: boolean): OpenEditor {
  const latest = useRef({ insert, isPlain })
  latest.current = { insert, isPlain }
  const [open] = useState<OpenEditor>(() => ({
    insertCode: (code, language) => latest.current.insert(codeIn(code, language, latest.current.isPlain)),
  }))
  useEffect(() => {
    enter(open)
    return () => leave(open)
  }, [open])
  return open
}

function codeIn(code: string, language: CodeLanguage, isPlain: boolean): Block {
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
