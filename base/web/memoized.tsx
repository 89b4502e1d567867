import type { ReactNode } from 'react'

/** A name of what is rendered, and all that its HTML depends on beside the language and the site's data. */
export type Dependencies = readonly [name: string, ...unknown[]]
export type Memoize = (dependencies: Dependencies, part: ReactNode) => ReactNode

// A variable, not a context: the server renders a page in one go, and the browser, which sets nothing, loads nothing for it.
let memoize: Memoize | null = null

/** Renders a page with its memoized parts. */
export function rendering<T>(memoizeParts: Memoize, render: () => T): T {
  memoize = memoizeParts
  try {
    return render()
  } finally {
    memoize = null
  }
}

type MemoizedProps = {
  /** False for a part that depends on more, such as the address of the page. */
  by: () => Dependencies | false
  children: ReactNode
}

/**
 * A part of pages whose HTML the server keeps. It is the same for the same `by`, wherever and whenever it is rendered, has no `useId`, and lies
 * in no other such part.
 */
export function Memoized({ by, children }: MemoizedProps) {
  const dependencies = memoize && by()
  return memoize && dependencies ? memoize(dependencies, children) : children
}
