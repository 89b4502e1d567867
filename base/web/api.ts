import { createContext, useContext } from 'react'
import type { Api } from '#base/contract.ts'

/** The API that components write through. Only the browser provides one: the server's pages write nothing. */
export const ApiContext = createContext<Api | null>(null)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('There is no API around this component')
  return api
}
