import type { z } from 'zod'
import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { SearchAway } from '#search/contract.ts'
import { indexMade } from '#search/server/opensearch/index.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'HEAD'

export type SearchServer = {
  /** Sends a request about the index and parses the response. */
  ask<T extends z.ZodType>(path: string, body: string, expected: T, patienceMs?: number): Promise<z.output<T>>
}

const standardIndex = 'teahouse'
const makingMs = 30_000

/** A search server with the index named by the last part of the address. The index is created on first use. */
export function searchServerAt(address: string): SearchServer {
  const base = new URL(address)
  const [index, ...before] = base.pathname.split('/').filter(Boolean).toReversed()
  base.pathname = [...before.toReversed(), index ?? standardIndex].map((part) => `/${part}`).join('')
  let made: Promise<void> | null = null

  async function send(method: Method, path: string, body: string | null, patienceMs?: number): Promise<{ status: number; text: string }> {
    const url = new URL(base)
    const [rest = '', query = ''] = path.split('?')
    url.pathname += rest
    url.search = query
    const headers = { 'content-type': rest.endsWith('/_bulk') ? 'application/x-ndjson' : 'application/json' }
    try {
      const told = await fetchConfigured(url, {
        method,
        headers,
        ...(body !== null && { body }),
        ...(patienceMs && { timeoutMs: patienceMs }),
      })
      if (told.status !== 429 && told.status < 500) return told
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error
    }
    throw SearchAway()
  }

  async function make(): Promise<void> {
    const { status } = await send('HEAD', '', null)
    if (status === 200) return
    const { status: done, text } = await send('PUT', '', JSON.stringify(indexMade), makingMs)
    // Another process may have created it concurrently.
    if (done !== 200 && !text.includes('resource_already_exists_exception')) throw new Error(`The index cannot be made: ${text}`)
  }

  return {
    async ask(path, body, expected, patienceMs) {
      made ??= make().catch((error: unknown) => {
        made = null
        throw error
      })
      await made
      const { status, text } = await send('POST', path, body, patienceMs)
      if (status === 404) made = null
      if (status !== 200) throw new Error(`The search server answers ${status}: ${text.slice(0, 500)}`)
      return expected.parse(JSON.parse(text))
    },
  }
}
