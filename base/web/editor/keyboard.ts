import { useEffect } from 'react'

/** Tells the style sheet how much of the page the keyboard of a phone lies over, where the browser does not make the page smaller for it. */
export function useRoomForKeyboard(): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    function measure(): void {
      const hidden = seen && seen.scale === 1 ? Math.round(innerHeight - seen.height - seen.offsetTop) : 0
      document.documentElement.style.setProperty('--keyboard', `${Math.max(0, hidden)}px`)
    }
    const left = new AbortController()
    for (const moved of ['resize', 'scroll']) seen.addEventListener(moved, measure, { signal: left.signal })
    return () => {
      left.abort()
      document.documentElement.style.removeProperty('--keyboard')
    }
  }, [])
}

/** Where one writes with a keyboard that is there all the time, and Enter may send. */
export function hasMouse(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches
}
