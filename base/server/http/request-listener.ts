import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { withoutQuery } from '#base/query-string.ts'
import { namesOneHost } from '#base/server/http/origin.ts'
import type { FastPath } from '#base/server/cache/send-cached.ts'
import type { ReadYourWrites } from '#base/server/database/read-your-writes.ts'
import { wroteLately } from '#base/server/http/secret-cookies.ts'
import { currentTracer } from '#base/server/tracing/trace.ts'
import { drainUnreadBody } from '#base/server/http/unread-body.ts'

export type AnswerMetrics = { route: string; method: string; status: number; ms: number }

type ListenerOptions = {
  fastPath: FastPath
  /** Called for each request, before anything answers it. */
  observe?: ((request: IncomingMessage) => void) | undefined
  onAnswer?: ((answer: AnswerMetrics) => void) | undefined
  /** Set if several servers share the database. */
  readYourWrites?: ReadYourWrites | null
}

/** Handles each request before the framework: the fast path answers it, or the framework does. */
export function requestListener(
  { fastPath, observe, onAnswer, readYourWrites }: ListenerOptions,
  framework: RequestListener,
): RequestListener {
  return (request, response) => {
    const { headers, rawHeaders, socket } = request
    // It followed a request whose answer ended the connection.
    if (socket.writableEnded) return
    drainUnreadBody(request, response)
    if (!namesOneHost(rawHeaders, headers.host)) return refuse(response)
    observe?.(request)
    const tracer = currentTracer()
    if (tracer === null) answer(request, response)
    else tracer.request(request, response, () => answer(request, response))
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    const began = performance.now()
    // A client that wrote lately must first catch up with the invalidations of other servers.
    if ((readYourWrites && wroteLately(headers)) || !fastPath(request, response)) return framework(request, response)
    const route = withoutQuery(url)
    currentTracer()?.nameRequest(request, route)
    onAnswer?.({ route, method, status: response.statusCode, ms: performance.now() - began })
  }
}

// Anything beside a host in the Host header would end up in addresses.
function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' })
  response.end('The Host header names no host, or there are two.')
}
