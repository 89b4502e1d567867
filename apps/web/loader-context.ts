import { createContext } from 'react-router'
import type { Api } from '#base/contract.ts'

/** What a screen's loader reaches the world through: in process on the server, over HTTP in the browser. */
export type LoaderContext = {
  api: Api
  /** Members also load what is theirs; the server always renders as a visitor. */
  isMember: () => boolean
  /** That the page speaks. */
  language: () => 'zh' | 'en'
  /** The page says already that what it asks for is not there, and it is asked for once more. */
  isMissing: () => boolean
}

export const loaderContext = createContext<LoaderContext>()
