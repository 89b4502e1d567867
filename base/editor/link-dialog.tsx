import type { Editor } from '@tiptap/core'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { linkTarget } from '#base/rich-text/safe-url.ts'
import { isComposing } from '#base/web/composing.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { anchorToLine, trackCursorLine } from '#base/editor/line-anchor.ts'
import { isOnPhone } from '#base/web/phone.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/editor.module.css'

type LinkDialogProps = { editor: Editor; isOpen: boolean; close: () => void }

/** Asks for the target of a link. It is outside of the editor's form, so that Enter does not submit it. */
export function LinkDialog({ editor, isOpen, close }: LinkDialogProps) {
  const words = useWords('editor')
  function done(): void {
    close()
    setTimeout(() => editor.commands.focus())
  }
  return createPortal(
    <Dialog title={words('linkTitle')} isOpen={isOpen} close={close}>
      <LinkFields editor={editor} onDone={done} />
    </Dialog>,
    document.body,
  )
}

function LinkFields({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const words = useWords('editor')
  const [hadLink] = useState(() => editor.isActive('link'))
  const [needsText] = useState(() => editor.state.selection.empty && !hadLink)
  const [address, setAddress] = useState<string>(() => editor.getAttributes('link')['href'] ?? '')
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const fields = useLineAnchor()

  function set(): void {
    const href = addressIn(address)
    setWrong(!href)
    if (!href) return
    if (needsText) insertLink(editor, href, text.trim() || address.trim())
    else setLink(editor, href)
    onDone()
  }

  function remove(): void {
    editor.chain().extendMarkRange('link').unsetMark('link').run()
    onDone()
  }

  return (
    <div ref={fields} className={css.link}>
      <Line
        label={words('linkAddress')}
        value={address}
        change={setAddress}
        enter={set}
        wrong={isWrong ? words('linkWrong') : null}
        isFirst
      />
      {needsText && <Line label={words('linkText')} value={text} change={setText} enter={set} wrong={null} />}
      <p className={css.actions}>
        {hadLink && (
          <button type="button" className="button quiet" onClick={remove}>
            {words('removeLink')}
          </button>
        )}
        <button type="button" className="button" onClick={set}>
          {words('setLink')}
        </button>
      </p>
    </div>
  )
}

/** On a phone, places the surrounding dialog beside the line of the link. */
function useLineAnchor() {
  const fields = useRef<HTMLDivElement>(null)
  // Before the focus moves to the first field.
  const [line] = useState(trackCursorLine)
  useEffect(() => {
    const dialog = fields.current?.closest('dialog')
    return dialog && isOnPhone() ? anchorToLine(dialog, line) : undefined
  }, [line])
  return fields
}

type LineProps = {
  label: string
  value: string
  change: (value: string) => void
  enter: () => void
  wrong: string | null
  isFirst?: boolean
}

function Line({ label, value, change, enter, wrong, isFirst = false }: LineProps) {
  const id = useId()

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    enter()
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        data-first={isFirst || undefined}
        id={id}
        type="text"
        value={value}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={`${id}-wrong`}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKey}
      />
      <p id={`${id}-wrong`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </div>
  )
}

// An existing title is kept.
function setLink(editor: Editor, href: string): void {
  const attrs = { ...editor.getAttributes('link'), href }
  editor.chain().extendMarkRange('link').setMark('link', attrs).run()
}

function insertLink(editor: Editor, href: string, text: string): void {
  editor
    .chain()
    .insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
    .run()
}

/** An address as typed, often without its scheme. */
function addressIn(written: string): string | null {
  const trimmed = written.trim()
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(trimmed)) return linkTarget(`mailto:${trimmed}`)
  return (
    linkTarget(trimmed) ??
    (/^[\p{L}\p{N}\p{M}_-]+(\.[\p{L}\p{N}\p{M}_-]+)+([/?#:]|$)/u.test(trimmed) ? linkTarget(`https://${trimmed}`) : null)
  )
}
