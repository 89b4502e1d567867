import { storeOf } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/loading.module.css'

const closeDelayMs = 300

const shown = storeOf(false)
let running = 0
let closing: ReturnType<typeof setTimeout> | undefined

/** Counts a request in and gives back the way to count it out. The overlay goes 300 ms after the last one. */
export function requestBegins(): () => void {
  running++
  clearTimeout(closing)
  shown.set(true)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    running--
    if (running === 0) closing = setTimeout(() => shown.set(false), closeDelayMs)
  }
}

/** A thin bar that says something is under way, without keeping anybody from reading on. */
export function LoadingOverlay() {
  const words = useWords('site')
  return shown.use() ? <div className={css.bar} role="progressbar" aria-label={words('loading')} /> : null
}
