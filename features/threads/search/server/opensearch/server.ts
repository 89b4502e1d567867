import type { z } from 'zod'
import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { SearchAway } from '#search/contract.ts'
import { indexDefinition } from '#search/server/opensearch/index.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'HEAD'

export type SearchServer = {
  /** Sends a request about the index and parses the response. */
  request<T extends z.ZodType>(path: string, body: string, expected: T, patienceMs?: number): Promise<z.output<T>>
}

const defaultIndex = 'teahouse'
const createTimeoutMs = 30_000

/** A search server with the index named by the last part of the address. The index is created on first use. */
export function searchServerAt(address: string): SearchServer {
  const base = new URL(address)
  const [index, ...before] = base.pathname.split('/').filter(Boolean).toReversed()
  base.pathname = [...before.toReversed(), index ?? defaultIndex].map((part) => `/${part}`).join('')
  let ready: Promise<void> | null = null

  async function send(method: Method, path: string, body: string | null, patienceMs?: number): Promise<{ status: number; text: string }> {
    const url = new URL(base)
    const [rest = '', query = ''] = path.split('?')
    url.pathname += rest
    url.search = query
    const headers = { 'content-type': rest.endsWith('/_bulk') ? 'application/x-ndjson' : 'application/json' }
    try {
      const response = await fetchConfigured(url, {
        method,
        headers,
        ...(body !== null && { body }),
        ...(patienceMs && { timeoutMs: patienceMs }),
      })
      if (response.status !== 429 && response.status < 500) return response
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error
    }
    throw SearchAway()
  }

  async function make(): Promise<void> {
    const { status } = await send('HEAD', '', null)
    if (status === 200) return
    const { status: done, text } = await send('PUT', '', JSON.stringify(indexDefinition), createTimeoutMs)
    // Another process may have created it concurrently.
    if (done !== 200 && !text.includes('resource_already_exists_exception')) throw new Error(`The index cannot be made: ${text}`)
  }

  return {
    async request(path, body, expected, patienceMs) {
      ready ??= make().catch((error: unknown) => {
        ready = null
        throw error
      })
      await ready
      const { status, text } = await send('POST', path, body, patienceMs)
      if (status === 404) ready = null
      if (status !== 200) throw new Error(`The search server answers ${status}: ${text.slice(0, 500)}`)
      return expected.parse(JSON.parse(text))
    },
  }
}
