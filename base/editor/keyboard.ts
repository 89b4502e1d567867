import { useEffect } from 'react'

/** The height of the panel in place of the keyboard. */
let panelHeight = 0

/** Publishes the visible area above a phone's keyboard to the style sheet, where the browser does not shrink the page. */
export function useKeyboardInset(): void {
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
 * Places a panel where the keyboard was, as in chat apps: the page reserves its height as it would for the keyboard, and a keyboard opened
 * from the panel appears below it. Returns the cleanup function.
 */
export function replaceKeyboardWith(panel: HTMLElement): () => void {
  const sizes = new ResizeObserver(updateHeight)
  sizes.observe(panel)
  updateHeight()

  function updateHeight(): void {
    panelHeight = panel.offsetHeight
    measure()
  }

  return () => {
    sizes.disconnect()
    panelHeight = 0
    measure()
  }
}

/** A device with a hardware keyboard, where Enter may submit. */
export function hasHardwareKeyboard(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches
}

// The area covered below, the keyboard's part of it, and the area scrolled away above.
function measure(): void {
  const { documentElement: root } = document
  const seen = window.visualViewport
  const isWhole = seen?.scale === 1
  const keys = isWhole ? Math.max(0, Math.round(innerHeight - seen.height - seen.offsetTop)) : 0
  root.style.setProperty('--keyboard', `${keys + panelHeight}px`)
  root.style.setProperty('--keys', `${keys}px`)
  root.style.setProperty('--seen-top', `${isWhole ? Math.max(0, seen.offsetTop) : 0}px`)
  root.toggleAttribute('data-keys', keys > 0)
}
