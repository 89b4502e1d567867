export type Line = { top: number; bottom: number; left: number }

const gap = 6
const edge = 8

/**
 * Keeps a panel beside the current line: below it, or above where there is more space, above the keyboard and within the sheet. Sets
 * `--left`, `--top`, `--room` (the maximum height) and `data-side` for the style sheet. `wanted` is the height without a limit.
 */
export function anchorToLine(
  panel: HTMLElement,
  lineNow: () => Line | null,
  desiredHeight: () => number = () => heightOf(panel),
): () => void {
  const lay = () => {
    const line = lineNow()
    if (line) place(panel, line, desiredHeight())
  }
  const left = new AbortController()
  const sizes = new ResizeObserver(lay)
  sizes.observe(panel)
  for (const moved of ['resize', 'scroll']) window.visualViewport?.addEventListener(moved, lay, { signal: left.signal })
  document.addEventListener('scroll', lay, { capture: true, passive: true, signal: left.signal })
  lay()
  return () => {
    sizes.disconnect()
    left.abort()
  }
}

/** The line of the cursor, followed as it moves; null where the browser has no rectangle, as in a text area. */
export function trackCursorLine(): () => Line | null {
  const selection = getSelection()
  const range = selection?.rangeCount ? selection.getRangeAt(0).cloneRange() : null
  return () => {
    const { startContainer: start } = range ?? {}
    if (!range || !start?.parentElement?.closest('[contenteditable="true"]')) return null
    // An empty line has no rectangle.
    const rect = range.getClientRects()[0] ?? (start instanceof Element ? start : start.parentElement).getBoundingClientRect()
    return { top: rect.top, bottom: rect.bottom, left: rect.left }
  }
}

function place(panel: HTMLElement, line: Line, desiredHeight: number): void {
  const { top, bottom, left, right } = visibleArea()
  const above = line.top - gap - top
  const below = bottom - line.bottom - gap
  const isBelow = desiredHeight <= below || below >= above
  const room = Math.max(0, isBelow ? below : above)
  const height = Math.min(desiredHeight, room)
  panel.dataset['side'] = isBelow ? 'below' : 'above'
  panel.style.setProperty('--room', `${room}px`)
  panel.style.setProperty('--top', `${isBelow ? line.bottom + gap : line.top - gap - height}px`)
  panel.style.setProperty('--left', `${Math.max(left, Math.min(line.left, right - panel.offsetWidth))}px`)
}

/** The visible area of the sheet, or of the page if there is none. */
function visibleArea(): { top: number; bottom: number; left: number; right: number } {
  const { style } = document.documentElement
  const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0
  const sheet = document.querySelector('dialog[data-sheet][open]')?.getBoundingClientRect()
  const { top, bottom, left, right } = sheet ?? new DOMRect(0, 0, innerWidth, innerHeight)
  return {
    top: Math.max(top, pixels('--seen-top')) + edge,
    bottom: Math.min(bottom, innerHeight - pixels('--keyboard')) - edge,
    left: left + edge,
    right: right - edge,
  }
}

function heightOf({ scrollHeight, offsetHeight, clientHeight }: HTMLElement): number {
  return scrollHeight + offsetHeight - clientHeight
}
