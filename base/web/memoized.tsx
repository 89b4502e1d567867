import { createContext, useContext, type ReactNode } from 'react'

export type Memoize = (name: string, dependencies: readonly unknown[], part: ReactNode) => ReactNode

/** Set on the server, while it renders a page. */
export const MemoizeContext = createContext<Memoize | null>(null)

type MemoizedProps = {
  /** What is rendered, since other parts may depend on the same. */
  name: string
  /** All that the HTML depends on, beside the language and the site's data; null if there is more, such as the address of the page. */
  by: () => readonly unknown[] | null
  children: ReactNode
}

/** A part of pages whose HTML the server keeps. It is the same for the same `by`, wherever and whenever it is rendered, and has no `useId`. */
export function Memoized({ name, by, children }: MemoizedProps) {
  const memoize = useContext(MemoizeContext)
  const dependencies = memoize && by()
  return memoize && dependencies ? memoize(name, dependencies, children) : children
}
