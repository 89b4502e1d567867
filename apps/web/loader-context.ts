import { createContext, type LoaderFunctionArgs } from 'react-router'
import type { Api } from '#base/contract.ts'
import type { LoaderArgs } from '#base/web/screen.ts'

/** The environment of a screen's loader: in process on the server, over HTTP in the browser. */
export type LoaderContext = {
  api: Api
  /** Members also load their own data; the server always renders as a visitor. */
  isMember: () => boolean
  /** The language of the page. */
  language: () => 'zh' | 'en'
  /** The page shows that the thing is missing, and the loader is retrying. */
  isMissing: () => boolean
  /** See `LoaderArgs`. */
  shown: () => LoaderArgs['shown']
}

export const loaderContext = createContext<LoaderContext>()

export function loaderArgsOf({ request, context }: LoaderFunctionArgs): LoaderArgs {
  const loader = context.get(loaderContext)
  return {
    api: loader.api,
    url: new URL(request.url),
    isMember: loader.isMember(),
    language: loader.language(),
    isMissing: loader.isMissing(),
    shown: loader.shown(),
  }
}
