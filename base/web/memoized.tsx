import type { ReactNode } from 'react'

/** A name of what is rendered, and all that its HTML depends on beside the language and the site's data. */
export type Dependencies = readonly [name: string, ...unknown[]]
/** `address` is the path and the query of the page. False for a part that depends on more. */
export type DependenciesAt = (address: string) => Dependencies | false
export type Memoize = (by: DependenciesAt, part: ReactNode) => ReactNode

// A variable, not a context: the server renders a page in one go, and the browser loads nothing for it.
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

/**
 * A part of pages whose HTML the server keeps. It is the same for the same `by`, wherever and whenever it is rendered, has no `useId`, and lies
 * in no other such part. The browser's files have its children in its place (`#apps/web/memoized-plugin.ts`).
 */
export function Memoized({ by, children }: { by: DependenciesAt; children: ReactNode }) {
  return memoize ? memoize(by, children) : children
}
