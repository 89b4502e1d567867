// The stops of keyboard navigation: the comments of a thread, the titles of a list.
const stops = '#content li[data-floor], #content article h2 a'
const headerHeight = 84

/** Focuses the next or the previous stop. */
export function focusNextStop(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(stops)].filter((stop) => stop.checkVisibility())
  const focusedIndex = all.findIndex((stop) => stop === document.activeElement?.closest(stops))
  const next = focusedIndex >= 0 && isInView(all[focusedIndex]) ? focusedIndex + by : nearest(all, by)
  const stop = all[Math.min(Math.max(next, 0), all.length - 1)]
  stop?.focus({ preventScroll: true })
  stop?.scrollIntoView({ block: stop.offsetHeight > innerHeight / 2 ? 'start' : 'nearest' })
}

/** The focused stop, or the first one in view. */
export function currentStop(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>('li[id^="reply-"], li[data-floor], #content article h2 a')
  if (focused) return focused
  const all = [...document.querySelectorAll<HTMLElement>(stops)]
  return all.find(isInView) ?? null
}

// Navigation continues from the scroll position.
function nearest(all: readonly HTMLElement[], by: 1 | -1): number {
  if (by === 1) return all.findIndex((stop) => stop.getBoundingClientRect().top >= headerHeight - 8)
  return all.findLastIndex((stop) => stop.getBoundingClientRect().top < headerHeight - 8)
}

function isInView(stop: HTMLElement | undefined): boolean {
  if (!stop) return false
  const { top, bottom } = stop.getBoundingClientRect()
  return bottom > headerHeight && top < innerHeight
}
