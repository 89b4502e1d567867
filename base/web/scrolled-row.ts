import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls a row horizontally until the element is in its middle. The page itself does not move. */
export function scrollToMiddle(row: Element, at: Element): void {
  const [one, all] = [at.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += (one.left + one.right - all.left - all.right) / 2
}

/** Keeps the current item of a horizontally scrolled row in view. */
export function useCurrentInView<Row extends Element>(): RefObject<Row | null> {
  const row = useRef<Row>(null)
  const previous = useRef<Element>(null)
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]') ?? null
    // The reader's own scroll position stays until the current item changes.
    if (row.current && current && current !== previous.current) scrollToMiddle(row.current, current)
    previous.current = current
  })
  return row
}
