import { useEffect, useState, type RefObject } from 'react'
import { useLatest } from '#base/editor/latest.ts'

/** Blocks the form's submission while uploads are pending, and parses the text first. */
export function useBeforeSending(
  within: RefObject<HTMLElement | null>,
  { isWaiting, read }: { isWaiting: boolean; read: () => void },
): boolean {
  const [wasHeld, setHeld] = useState(false)
  const latest = useLatest({ isWaiting, read })
  useEffect(() => {
    const form = within.current?.closest('form')
    function before(event: SubmitEvent): void {
      setHeld(latest.current.isWaiting)
      if (latest.current.isWaiting) {
        event.preventDefault()
        event.stopImmediatePropagation()
      } else latest.current.read()
    }
    form?.addEventListener('submit', before, true)
    return () => form?.removeEventListener('submit', before, true)
  }, [within, latest])
  return wasHeld && isWaiting
}
