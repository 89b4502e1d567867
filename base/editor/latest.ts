import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A ref to the value of the last render, for listeners, timers and everything that lives as long as the editor. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
