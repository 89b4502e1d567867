import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/toolbar.module.css'

/** A toolbar with a roving tab stop: Tab reaches the button used last, the arrow keys move between buttons. */
export function Bar({ label, children }: { label: string; children: ReactNode }) {
  const words = useWords('editor')
  const bar = useRef<HTMLDivElement>(null)
  const rest = useOverflow(bar)
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
      {...rest}
      onKeyDown={go}
      onFocus={(event) => stopAt(event.target)}
    >
      {children}
    </div>
  )
}

/** Whether tools are scrolled out of view at either end, for the style sheet. */
function useOverflow(bar: RefObject<HTMLElement | null>) {
  const [rest, setRest] = useState({ before: false, after: false })
  useEffect(() => {
    const { current } = bar
    if (!current) return
    const left = new AbortController()
    function look({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): void {
      const [before, after] = [scrollLeft > 4, scrollLeft + clientWidth < scrollWidth - 4]
      setRest((known) => (known.before === before && known.after === after ? known : { before, after }))
    }
    const sizes = new ResizeObserver(() => look(current))
    sizes.observe(current)
    current.addEventListener('scroll', () => look(current), { signal: left.signal, passive: true })
    left.signal.addEventListener('abort', () => sizes.disconnect())
    return () => left.abort()
  }, [bar])
  return { 'data-before': rest.before || undefined, 'data-after': rest.after || undefined }
}
