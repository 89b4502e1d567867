import { useEffect, useRef, type RefObject } from 'react'

/** Pushes a row along until this is in its middle. The page itself does not move. */
export function bringToMiddle(row: Element, at: Element): void {
  const [one, all] = [at.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += (one.left + one.right - all.left - all.right) / 2
}

/** Of ways that stand in one row, which a phone pushes along, the current one is in view. */
export function useCurrentInView<Row extends Element>(): RefObject<Row | null> {
  const row = useRef<Row>(null)
  const shown = useRef<Element>(null)
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]') ?? null
    // What one pushed along oneself stays there until one goes elsewhere.
    if (row.current && current && current !== shown.current) bringToMiddle(row.current, current)
    shown.current = current
  })
  return row
}
