import { createContext } from 'react-router'
import type { Api } from '#base/contract.ts'

/** The environment of a screen's loader: in process on the server, over HTTP in the browser. */
export type LoaderContext = {
  api: Api
  /** Members also load their own data; the server always renders as a visitor. */
  isMember: () => boolean
  /** The language of the page. */
  language: () => 'zh' | 'en'
  /** The page shows that the thing is missing, and the loader is retrying. */
  isMissing: () => boolean
}

export const loaderContext = createContext<LoaderContext>()
