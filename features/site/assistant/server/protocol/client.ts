import { ReadableStream as WebStream } from 'node:stream/web'
import type { LanguageModel } from 'ai'
import { answerIn } from '#assistant/server/protocol/answer.ts'
import { withoutParts } from '#assistant/server/protocol/request.ts'
import type { Protocol, RequestPart } from '#assistant/protocols.ts'
import type { Fetch } from '#base/server/outbound/safe-fetch.ts'

export type Connection = { address: string; apiKey: string; fetch: Fetch; refusedParts: readonly RequestPart[] }

/**
 * The client of a model. Client libraries write its requests, which are sent without the parts that the model refuses. Its answers are read
 * here: the libraries end an answer for a single piece of an unexpected shape.
 */
export async function openClient(
  protocol: Protocol,
  model: string,
  { address, apiKey, fetch, refusedParts }: Connection,
): Promise<LanguageModel> {
  const { wrapLanguageModel } = await import('ai')
  let received: { response: Response; close: () => void } | null = null

  const send: Fetch = async (url, init = {}) => {
    const end = new AbortController()
    const signal = init.signal ? AbortSignal.any([init.signal, end.signal]) : end.signal
    const body = typeof init.body === 'string' ? withoutParts(protocol, init.body, refusedParts) : null
    const response = await fetch(url, { ...init, body, signal })
    if (response.status >= 400) return response
    received = { response, close: () => end.abort() }
    // The library gets an empty answer.
    return new Response('', { headers: { 'content-type': 'text/event-stream' } })
  }

  return wrapLanguageModel({
    model: await libraryClient(protocol, model, { baseURL: address, apiKey, fetch: send }),
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const { stream, ...about } = await doStream()
        await stream.cancel()
        if (!received) throw new Error('No request was sent')
        const parts = answerIn(protocol, received.response, received.close)
        return { ...about, stream: WebStream.from(parts) as typeof stream }
      },
    },
  })
}

type LibraryOptions = { baseURL: string; apiKey: string; fetch: Fetch }

async function libraryClient(protocol: Protocol, model: string, options: LibraryOptions) {
  if (protocol === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(options)(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...options, name: 'model', includeUsage: true })(model)
}
