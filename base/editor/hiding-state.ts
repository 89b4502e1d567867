import { createContext } from 'react'
import type { Lock } from '#base/rich-text/document.ts'

/** The author's limits for hidden parts: the locks, their number, the highest prices, and the levels. */
export type HidingLimits = {
  locks: readonly Lock[]
  most: number
  mostPoints: string
  mostCents: string
  levels: readonly { needs: string; name: { zh: string; en: string } }[]
}

/** Null where hiding is not allowed: existing hidden parts stay or are removed. */
export type HidingState = {
  /** Null until loaded. */
  limits: HidingLimits | null
  /** Loads them again after a failure. */
  retry: (() => void) | null
} | null

export const HidingContext = createContext<{ hiding: HidingState; /** The post was refused. */ isWrong: boolean }>({
  hiding: null,
  isWrong: false,
})
