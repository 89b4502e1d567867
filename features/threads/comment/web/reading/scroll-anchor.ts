import { useLayoutEffect, useRef } from 'react'

/** A comment on the page, and the distance of its top from the top of the window. */
export type ScrollAnchor = { id: string; top: number }

// Just below the header.
const line = 76

/** The current comment: the last that begins above a line near the top. Null above the first comment. */
export function currentComment(): ScrollAnchor | null {
  let found: ScrollAnchor | null = null
  for (const { id, top } of commentsOnPage()) {
    if (top > line) break
    found = { id, top }
  }
  return found
}

/** The current comment, or else the first in view. */
export function currentOrNextComment(): ScrollAnchor | null {
  for (const place of commentsOnPage()) if (place.top > line) return currentComment() ?? (place.top < innerHeight ? place : null)
  return currentComment()
}

/** The highest floor of which more than the beginning has been in view. */
export function highestFloorSeen(): number {
  return Math.max(0, ...floorsSeen())
}

/** The highest floor such that all floors after this one up to it have been in view. */
export function seenWithoutGap(after: number): number {
  const floors = new Set(floorsSeen())
  let floor = after
  while (floors.has(floor + 1)) floor++
  return floor
}

// Above the lower edge: comments scrolled past count as seen.
function floorsSeen(): number[] {
  const seen = [...document.querySelectorAll<HTMLElement>('li[data-floor]')].filter(
    (comment) => comment.getBoundingClientRect().top < innerHeight - 60,
  )
  return seen.map((comment) => Number(comment.dataset['floor']))
}

/** Scroll anchoring across changes of the page: call the returned function right before a change. */
export function useScrollAnchoring(): () => void {
  const anchor = useRef<ScrollAnchor | null>(null)
  useLayoutEffect(() => {
    const comment = anchor.current && document.getElementById(anchor.current.id)
    if (comment && anchor.current) scrollBy({ top: comment.getBoundingClientRect().top - anchor.current.top, behavior: 'instant' })
    anchor.current = null
  })
  return () => void (anchor.current = focusedComment() ?? beginningInView() ?? currentOrNextComment())
}

// A focused comment, such as the target of a link, is the anchor.
function focusedComment(): ScrollAnchor | null {
  const comment = document.activeElement?.closest('li[data-floor]')
  const top = comment?.getBoundingClientRect().top ?? -1
  return comment && top > 0 && top < innerHeight ? { id: comment.id, top } : null
}

// A comment that begins in view is preferred to one that ends in it.
function beginningInView(): ScrollAnchor | null {
  for (const place of commentsOnPage()) if (place.top > line - 30) return place.top < innerHeight * 0.4 ? place : null
  return null
}

function* commentsOnPage(): Iterable<ScrollAnchor> {
  for (const comment of document.querySelectorAll('li[data-floor]')) yield { id: comment.id, top: comment.getBoundingClientRect().top }
}
