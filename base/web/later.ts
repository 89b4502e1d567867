import { useEffect, useEffectEvent, useState } from 'react'

let bringWords: () => Promise<unknown> = async () => undefined

/** Says where the words come from that reading does not need. */
export function wordsComeFrom(bring: () => Promise<unknown>): void {
  bringWords = bring
}

/** What reading does not need comes when it is used: a part of the program, and the words it speaks. */
export async function later<Part>(part: Promise<Part>): Promise<Part> {
  const [come] = await Promise.all([part, bringWords()])
  return come
}

/** A part that comes by itself once the page stands. Its words are among the first, so that nobody waits for all the others. */
export function idlePart<Part>(part: Promise<Part>): Promise<Part> {
  return part
}

/** A part that is fetched when it is wanted first; null until it is here. */
export function useLater<Part extends object>(load: () => Promise<Part>, isWanted: boolean, failed?: () => void): Part | null {
  return useWanted(() => later(load()), isWanted, failed)
}

/** The same for a part that comes by itself: `idlePart` says of its words. */
export function useIdlePart<Part extends object>(load: () => Promise<Part>, isWanted: boolean): Part | null {
  return useWanted(load, isWanted)
}

function useWanted<Part extends object>(load: () => Promise<Part>, isWanted: boolean, failed?: () => void): Part | null {
  const [part, setPart] = useState<Part | null>(null)
  const isMissing = isWanted && part === null
  const bring = useEffectEvent(() => {
    load().then(setPart, (error: unknown) => {
      console.info('A part of the page did not come', error)
      failed?.()
    })
  })
  useEffect(() => {
    if (isMissing) bring()
  }, [isMissing])
  return part
}

/**
 * A part without which there is nothing to show: null until it is here, and where it did not come one may try again. Without a boundary that
 * waits, for React would make what comes in pieces, and an editor does not outlive the pause between them.
 */
export function useNeeded<Part extends object>(load: () => Promise<Part>): { part: Part | null; hasFailed: boolean; retry: () => void } {
  const [part, setPart] = useState<Part | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  const bring = useEffectEvent(() => {
    later(load()).then(setPart, () => setFailed(true))
  })
  useEffect(() => bring(), [tries])

  function retry(): void {
    setFailed(false)
    setTries(tries + 1)
  }
  return { part, hasFailed, retry }
}

/** True once the page has nothing more urgent to do. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const become = () => setIdle(true)
    // Safari does not say when it is idle.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(become, 500)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(become, { timeout: 3_000 })
    return () => cancelIdleCallback(waiting)
  }, [])
  return isIdle
}
