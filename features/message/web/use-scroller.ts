import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

const nearPx = 60

/**
 * A box that is scrolled from its end, as a talk is: what comes above moves nothing, and at its end one stays there. What comes at its end while
 * one reads further up moves nothing either.
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
    // Code is coloured and pictures come while nothing else changes.
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

// From its end upwards it counts below nought.
function isNearEnd({ scrollTop }: HTMLElement): boolean {
  return scrollTop > -nearPx
}

/** Acts whenever this comes near to what one sees, and is there still when something has come. */
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
