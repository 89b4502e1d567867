import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import { lazy } from '#base/lazy.ts'

let loadRest: () => Promise<unknown> = async () => undefined

/** Sets the loader of all that later parts need and reading does not: their texts, and the places of forms. */
export function setRestLoader(load: () => Promise<unknown>): void {
  loadRest = load
}

/** Loads a part of the program on demand, together with its texts and the places in it. */
export async function later<Part>(part: Promise<Part>): Promise<Part> {
  const [come] = await Promise.all([part, loadRest()])
  return come
}

/** Marks the import of a part that loads once the page is idle: its texts are among the first, as `first-words.test.ts` demands by this name. */
export function idlePart<Part>(part: Promise<Part>): Promise<Part> {
  return part
}

/** A part that is loaded when first wanted; null until then. */
export function useLater<Part extends object>(load: () => Promise<Part>, isWanted: boolean, failed?: () => void): Part | null {
  return usePartWhen(() => later(load()), isWanted, { show: (render) => render(), failed })
}

/** The same for a part that loads by itself; see `idlePart`. It is shown in a transition, because nobody waits for it. */
export function useIdlePart<Part extends object>(load: () => Promise<Part>, isWanted: boolean): Part | null {
  return usePartWhen(load, isWanted, { show: startTransition })
}

type PartOptions = { show: (render: () => void) => void; failed?: (() => void) | undefined }

function usePartWhen<Part extends object>(load: () => Promise<Part>, isWanted: boolean, { show, failed }: PartOptions): Part | null {
  const [part, setPart] = useState<Part | null>(null)
  const isMissing = isWanted && part === null
  const bring = useEffectEvent(() => {
    load().then(
      (come) => show(() => setPart(come)),
      (error: unknown) => {
        console.info('A part of the page did not come', error)
        failed?.()
      },
    )
  })
  useEffect(() => {
    if (isMissing) bring()
  }, [isMissing])
  return part
}

/**
 * A part that is needed to show anything: null until it is loaded; a failed load can be retried. It is no Suspense boundary, because React
 * would then hydrate the part in pieces, and an editor does not survive the pause between them.
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

// The first thing that somebody does on a page.
const signsOfUse = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll', 'wheel']
const longestUnusedMs = 10_000

/**
 * Resolves once somebody uses the page. Many a visit on a phone ends before, and its visitor is spared the tools. A machine with a mouse
 * has them at once, and so has a page that was touched before its program came.
 */
export const inUse = lazy(
  () =>
    new Promise<void>((resolve) => {
      if (matchMedia('(any-hover: hover)').matches || 'touched' in document.documentElement.dataset) return resolve()
      for (const sign of signsOfUse) addEventListener(sign, () => resolve(), { once: true, passive: true, capture: true })
      setTimeout(resolve, longestUnusedMs)
    }),
)

/** True once the page is idle, and in use. */
export function useIdleInUse(): boolean {
  const isIdle = useIdle()
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    const left = new AbortController()
    void inUse().then(() => left.signal.aborted || setUsed(true))
    return () => left.abort()
  }, [])
  return isIdle && isUsed
}

/** True once the page is idle. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const become = () => setIdle(true)
    // Safari lacks `requestIdleCallback`.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(become, 500)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(become, { timeout: 3_000 })
    return () => cancelIdleCallback(waiting)
  }, [])
  return isIdle
}
