import { useRef, useState } from 'react'

type OneAtATime = {
  isBusy: boolean
  /** Does it, unless the deed before is still under way; then nothing, and undefined. */
  run<T>(deed: () => Promise<T>): Promise<T | undefined>
}

/** For what must not be done twice by two clicks, which may come before the button is drawn anew. */
export function useOneAtATime(): OneAtATime {
  const isUnderWay = useRef(false)
  const [isBusy, setBusy] = useState(false)

  async function run<T>(deed: () => Promise<T>): Promise<T | undefined> {
    if (isUnderWay.current) return undefined
    isUnderWay.current = true
    setBusy(true)
    try {
      return await deed()
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }

  return { isBusy, run }
}
