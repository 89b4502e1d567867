import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

const nearPx = 60

/**
 * A box that is scrolled from its end: older content above moves nothing, and at its end it follows new content. New content moves nothing
 * while one reads further up.
 */
export function useScroller(scroller: RefObject<HTMLElement | null>, ends: { first: string | undefined; last: string | undefined }) {
  const [isAtEnd, setAtEnd] = useState(true)
  const before = useRef({ ...ends, height: 0, isAtEnd: true })

  useLayoutEffect(() => {
    const { current: box } = scroller
    if (!box) return
    const was = before.current
    const grew = box.scrollHeight - was.height
    if (!was.isAtEnd && was.last !== ends.last && was.first === ends.first && grew > 0) box.scrollBy({ top: -grew, behavior: 'instant' })
    before.current = { ...ends, height: box.scrollHeight, isAtEnd: isNearEnd(box) }
  })

  useEffect(() => {
    const { current: box } = scroller
    if (!box) return
    const left = new AbortController()
    const look = () => {
      before.current.isAtEnd = isNearEnd(box)
      setAtEnd(before.current.isAtEnd)
    }
    box.addEventListener('scroll', look, { passive: true, signal: left.signal })
    // Highlighted code and loaded pictures change the size without another render.
    const sizes = new ResizeObserver(() => (before.current.height = box.scrollHeight))
    for (const child of box.children) sizes.observe(child)
    return () => {
      left.abort()
      sizes.disconnect()
    }
  }, [scroller])

  function toEnd(behavior: ScrollBehavior = 'instant'): void {
    before.current.isAtEnd = true
    scroller.current?.scrollTo({ top: 0, behavior })
  }
  return { isAtEnd, toEnd }
}

// In a reversed column the scroll position is negative.
function isNearEnd({ scrollTop }: HTMLElement): boolean {
  return scrollTop > -nearPx
}

/** Calls back whenever this comes near the view, and again when it is still near after a load. */
export function useNear(
  mark: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  act: (() => void) | null,
  come: string | undefined,
): void {
  const latest = useRef(act)
  useLayoutEffect(() => void (latest.current = act))
  const isWatched = act !== null
  useEffect(() => {
    if (!isWatched || !mark.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current?.(), {
      root: scroller.current,
      rootMargin: '500px 0px',
    })
    seen.observe(mark.current)
    return () => seen.disconnect()
  }, [isWatched, mark, scroller, come])
}
