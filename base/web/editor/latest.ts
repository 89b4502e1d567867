import { useLayoutEffect, useRef, type RefObject } from 'react'

/** What was drawn last, for those who ask later: listeners, timers, what lives as long as the editor. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
