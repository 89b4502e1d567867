import type { RefObject } from 'react'
import { isComposing } from '#base/web/composing.ts'
import css from '#base/editor/editor.module.css'

type MarkdownViewProps = {
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  write: (text: string) => void
  read: () => void
  onFiles: (files: File[]) => void
  onFocus: () => void
  /** The action of a key with Ctrl or ⌘, if any. */
  shortcutOf: (key: string) => (() => void) | undefined
  labels: { 'aria-labelledby': string; 'aria-describedby': string; 'aria-invalid': true | undefined; placeholder: string }
}

/** The same post as Markdown, exactly as typed. */
export function MarkdownView({ area, text, write, read, onFiles, onFocus, shortcutOf, labels }: MarkdownViewProps) {
  function takeFrom(event: { preventDefault: () => void }, data: DataTransfer): void {
    const files = [...data.files]
    if (files.length === 0 || data.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  }

  return (
    <textarea
      ref={area}
      className={css.markdown}
      value={text}
      rows={8}
      {...labels}
      onChange={(event) => write(event.target.value)}
      onBlur={read}
      onFocus={onFocus}
      onPaste={(event) => takeFrom(event, event.clipboardData)}
      onDrop={(event) => takeFrom(event, event.dataTransfer)}
      onKeyDown={(event) => {
        const { key, ctrlKey, metaKey, altKey, shiftKey } = event
        if (!(ctrlKey || metaKey) || isComposing(event.nativeEvent) || (key !== 'Enter' && (altKey || shiftKey))) return
        const shortcut = shortcutOf(key)
        if (!shortcut) return
        event.preventDefault()
        shortcut()
      }}
    />
  )
}
