import { useEffect } from 'react'

/** Tells the style sheet what of the page one sees above the keyboard of a phone, where the browser does not make the page smaller for it. */
export function useRoomForKeyboard(): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    function measure(): void {
      const hidden = seen && seen.scale === 1 ? Math.round(innerHeight - seen.height - seen.offsetTop) : 0
      document.documentElement.style.setProperty('--keyboard', `${Math.max(0, hidden)}px`)
      document.documentElement.style.setProperty('--seen-top', `${seen?.scale === 1 ? Math.max(0, seen.offsetTop) : 0}px`)
    }
    const left = new AbortController()
    for (const moved of ['resize', 'scroll']) seen.addEventListener(moved, measure, { signal: left.signal })
    return () => {
      left.abort()
      document.documentElement.style.removeProperty('--keyboard')
      document.documentElement.style.removeProperty('--seen-top')
    }
  }, [])
}

/** Where one writes with a keyboard that is there all the time, and Enter may send. */
export function hasMouse(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches
}
