import { useEffect } from 'react'

/** How high what lies in the keyboard's place is. */
let instead = 0

/** Tells the style sheet what of the page one sees above the keyboard of a phone, where the browser does not make the page smaller for it. */
export function useRoomForKeyboard(): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const left = new AbortController()
    for (const moved of ['resize', 'scroll']) seen.addEventListener(moved, measure, { signal: left.signal })
    return () => {
      left.abort()
      const { documentElement: root } = document
      for (const name of ['--keyboard', '--keys', '--seen-top']) root.style.removeProperty(name)
      root.removeAttribute('data-keys')
    }
  }, [])
}

/**
 * Lets a panel lie where the keyboard was, as those of chat programs do: whatever makes room for the keyboard makes room for it, and where keys are
 * typed in the panel itself it lies above them. Gives how it goes from there.
 */
export function takeKeyboardsPlace(panel: HTMLElement): () => void {
  const sizes = new ResizeObserver(lay)
  sizes.observe(panel)
  lay()

  function lay(): void {
    instead = panel.offsetHeight
    measure()
  }

  return () => {
    sizes.disconnect()
    instead = 0
    measure()
  }
}

/** Where one writes with a keyboard that is there all the time, and Enter may send. */
export function hasMouse(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches
}

// All that is hidden below, the keys alone, and what lies above of what one sees.
function measure(): void {
  const { documentElement: root } = document
  const seen = window.visualViewport
  const isWhole = seen?.scale === 1
  const keys = isWhole ? Math.max(0, Math.round(innerHeight - seen.height - seen.offsetTop)) : 0
  root.style.setProperty('--keyboard', `${keys + instead}px`)
  root.style.setProperty('--keys', `${keys}px`)
  root.style.setProperty('--seen-top', `${isWhole ? Math.max(0, seen.offsetTop) : 0}px`)
  root.toggleAttribute('data-keys', keys > 0)
}
