import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { currentComment, currentOrNextComment, type ScrollAnchor } from '#comment/web/reading/scroll-anchor.ts'
import { positionOf, mountedLists } from '#comment/web/reading/mounted-lists.ts'

const restMs = 250

type TrailOptions = { isReversed: boolean; /** The address is updated with the scroll position. */ follows: boolean }

/**
 * The position of the current comment, counted from the oldest; null above all. It is stored in the history entry, so that back
 * navigation and reloads restore the line and its height.
 */
export function useScrollHistory({ isReversed, follows }: TrailOptions): number | null {
  const { key, search, pathname } = useLocation()
  const [position, setPosition] = useState<number | null>(null)

  const look = useEffectEvent(() => {
    const place = currentAnchor()
    setPosition(place && positionOf(place.id, isReversed))
  })

  const remember = useEffectEvent(() => {
    const state = history.state as { key?: string; usr?: object | null } | null
    // During navigation the history entry is no longer that of this page.
    if ((state?.key ?? 'default') !== key) return
    const place = currentAnchor()
    const at = place && positionOf(place.id, isReversed)
    const query = new URLSearchParams(follows ? search : location.search)
    if (follows) for (const name of ['page', 'commentId', 'replyId', 'floor']) query.delete(name)
    if (follows && at !== null) query.set('floor', String(at))
    history.replaceState({ ...state, usr: place ? { at: place.id, top: place.top } : null }, '', `${pathname}?${query}`)
  })

  useEffect(() => {
    let frame = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    function moved(): void {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        look()
      })
      clearTimeout(rest)
      rest = setTimeout(() => remember(), restMs)
    }
    addEventListener('scroll', moved, { passive: true })
    const unwatch = mountedLists.watch(moved)
    moved()
    return () => {
      unwatch()
      cancelAnimationFrame(frame)
      clearTimeout(rest)
      removeEventListener('scroll', moved)
    }
  }, [])
  return position
}

// On the first page, the place above the first comment is the post; on later pages it is the first comment.
function currentAnchor(): ScrollAnchor | null {
  return mountedLists.get()[0]?.page === 1 ? currentComment() : currentOrNextComment()
}
