import type { Editor } from '@tiptap/core'
import { useId, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/editor.module.css'

/** Asks where a link leads. It stands outside of the form that the editor is part of, so that Enter sends nothing. */
export function LinkDialog({ editor, isOpen, close }: { editor: Editor; isOpen: boolean; close: () => void }) {
  const words = useWords('editor')
  return createPortal(
    <Dialog title={words('linkTitle')} isOpen={isOpen} close={close}>
      <LinkFields editor={editor} close={close} />
    </Dialog>,
    document.body,
  )
}

function LinkFields({ editor, close }: { editor: Editor; close: () => void }) {
  const words = useWords('editor')
  const id = useId()
  const [{ hadLink, needsText }] = useState(() => ({
    hadLink: editor.isActive('link'),
    needsText: editor.state.selection.empty && !editor.isActive('link'),
  }))
  const [address, setAddress] = useState<string>(() => editor.getAttributes('link')['href'] ?? '')
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)

  function set(): void {
    const href = addressIn(address)
    setWrong(!href)
    if (!href) return
    const link = { type: 'link', attrs: { href } }
    if (needsText)
      editor
        .chain()
        .insertContent({ type: 'text', text: text.trim() || address.trim(), marks: [link] })
        .run()
    else editor.chain().extendMarkRange('link').setMark('link', { href }).run()
    done()
  }

  function done(): void {
    close()
    setTimeout(() => editor.commands.focus())
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    set()
  }

  return (
    <div className={css.link}>
      <div className="field">
        <label htmlFor={id}>{words('linkAddress')}</label>
        <input
          id={id}
          type="text"
          inputMode="url"
          autoFocus
          value={address}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-wrong`}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={onKey}
        />
        <p id={`${id}-wrong`} className={isWrong ? 'wrong' : 'help'} role={isWrong ? 'alert' : undefined}>
          {isWrong && words('linkWrong')}
        </p>
      </div>
      {needsText && (
        <div className="field">
          <label htmlFor={`${id}-text`}>{words('linkText')}</label>
          <input id={`${id}-text`} type="text" value={text} onChange={(event) => setText(event.target.value)} onKeyDown={onKey} />
        </div>
      )}
      <p className={css.deeds}>
        {hadLink && (
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              editor.chain().extendMarkRange('link').unsetMark('link').run()
              done()
            }}
          >
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

/** What people write as an address: often without its beginning. */
function addressIn(written: string): string | null {
  const trimmed = written.trim()
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(trimmed)) return safeUrl(`mailto:${trimmed}`)
  return safeUrl(trimmed) ?? (/^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(trimmed) ? safeUrl(`https://${trimmed}`) : null)
}
