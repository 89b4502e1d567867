import { createContext, useContext, type ReactNode } from 'react'

/** A name of what is rendered, and all that its HTML depends on beside the language and the site's data. */
export type Dependencies = readonly [name: string, ...unknown[]]
export type Memoize = (dependencies: Dependencies, part: ReactNode) => ReactNode

/** Set on the server, while it renders a page. */
export const MemoizeContext = createContext<Memoize | null>(null)

type MemoizedProps = {
  /** Null for a part that depends on more, such as the address of the page. */
  by: () => Dependencies | null
  children: ReactNode
}

/** A part of pages whose HTML the server keeps. It is the same for the same `by`, wherever and whenever it is rendered, and has no `useId`. */
export function Memoized({ by, children }: MemoizedProps) {
  const memoize = useContext(MemoizeContext)
  const dependencies = memoize && by()
  return memoize && dependencies ? memoize(dependencies, children) : children
}
