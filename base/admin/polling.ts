import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

const everyMs = 1_500

/** Polls the screen's data while work is in progress. */
export function usePolling(isAtWork: boolean): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isAtWork || state !== 'idle') return
    const timer = setTimeout(() => void revalidate(), everyMs)
    return () => clearTimeout(timer)
  }, [isAtWork, state, revalidate])
}
