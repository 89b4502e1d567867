import type { RefObject } from 'react'
import { isComposing } from '#base/web/composing.ts'
import type { markdownTools } from '#base/web/editor/markdown-tools.ts'
import css from '#base/web/editor/editor.module.css'

type MarkdownViewProps = {
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  write: (text: string) => void
  read: () => void
  send: () => void
  take: (files: File[]) => void
  enter: () => void
  use: (tool: keyof typeof markdownTools) => void
  labels: { 'aria-labelledby': string; 'aria-describedby': string; 'aria-invalid': true | undefined; placeholder: string }
}

const keys = new Map<string, keyof typeof markdownTools>([
  ['b', 'bold'],
  ['i', 'italic'],
  ['e', 'code'],
  ['k', 'link'],
])

/** The same post as Markdown, character by character as it was typed. */
export function MarkdownView({ area, text, write, read, send, take, enter, use, labels }: MarkdownViewProps) {
  function takeFrom(event: { preventDefault: () => void }, data: DataTransfer): void {
    const files = [...data.files]
    if (files.length === 0 || data.types.includes('text/plain')) return
    event.preventDefault()
    take(files)
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
      onFocus={enter}
      onPaste={(event) => takeFrom(event, event.clipboardData)}
      onDrop={(event) => takeFrom(event, event.dataTransfer)}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || isComposing(event.nativeEvent)) return
        const tool = keys.get(event.key.toLowerCase())
        if (event.key !== 'Enter' && !tool) return
        event.preventDefault()
        if (tool) use(tool)
        else send()
      }}
    />
  )
}
