import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/toolbar.module.css'

/** One stop for the Tab key, at the button used last; the arrows go from button to button. */
export function Bar({ label, children }: { label: string; children: ReactNode }) {
  const words = useWords('editor')
  const bar = useRef<HTMLDivElement>(null)
  const tools = () => [...(bar.current?.querySelectorAll<HTMLElement>('button, select') ?? [])]

  useEffect(() => {
    const [first, ...others] = tools()
    if (first && ![first, ...others].some((tool) => tool.tabIndex === 0)) first.tabIndex = 0
  })

  function stopAt(target: EventTarget): void {
    for (const tool of tools()) tool.tabIndex = tool === target ? 0 : -1
  }

  function go(event: KeyboardEvent): void {
    const all = tools()
    const place = all.indexOf(event.target as HTMLElement)
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all[next % all.length]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={words(label)}
      className={css.bar}
      onKeyDown={go}
      onFocus={(event) => stopAt(event.target)}
    >
      {children}
    </div>
  )
}
