import { createContext } from 'react'
import type { Lock } from '#base/rich-text/document.ts'

/** How somebody may hide parts of what they write: by which locks, how many, for how much at most, and from which levels one sees them. */
export type HidingTerms = {
  locks: readonly Lock[]
  most: number
  mostPoints: string
  mostCents: string
  levels: readonly { needs: string; name: { zh: string; en: string } }[]
}

/** Null where nothing may be hidden: what is hidden there already stays so, or is taken out. */
export type Hiding = {
  /** Null until they are here. */
  terms: HidingTerms | null
  /** Runs once more where they did not come. */
  retry: (() => void) | null
} | null

export const HidingContext = createContext<{ hiding: Hiding; /** The post was refused. */ isWrong: boolean }>({
  hiding: null,
  isWrong: false,
})
