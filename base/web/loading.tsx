import { createStore } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/loading.module.css'

const closeDelayMs = 300

const isShown = createStore(false)
let running = 0
let closing: ReturnType<typeof setTimeout> | undefined

/** Counts a request as running and returns the function that ends it. The overlay disappears 300 ms after the last one. */
export function beginRequest(): () => void {
  running++
  clearTimeout(closing)
  isShown.set(true)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    running--
    if (running === 0) closing = setTimeout(() => isShown.set(false), closeDelayMs)
  }
}

/** A thin progress bar that does not block the page. */
export function LoadingOverlay() {
  const words = useWords('site')
  return isShown.use() ? <div className={css.bar} role="progressbar" aria-label={words('loading')} /> : null
}
