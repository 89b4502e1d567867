import { createContext, useContext } from 'react'
import type { Api, CallOptions, Endpoint, Input, Output } from '#base/contract.ts'

export type UploadOptions = CallOptions & { onProgress?: (part: number) => void }

/** What a page in the browser can do beside what loaders on the server can: send a file. */
export type BrowserApi = Api & {
  upload<E extends Endpoint>(path: E['path'], file: File, fields: Input<E>, options?: UploadOptions): Promise<Output<E>>
}

/** The API that components write through. Only the browser provides one: the server's pages write nothing. */
export const ApiContext = createContext<BrowserApi | null>(null)

export function useApi(): BrowserApi {
  const api = useContext(ApiContext)
  if (!api) throw new Error('There is no API around this component')
  return api
}
