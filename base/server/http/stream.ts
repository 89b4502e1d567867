import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#base/server/log.ts'
import { refusal } from '#base/contract.ts'
import { refused } from '#base/server/http/refuse.ts'
import type { Streaming } from '#base/server/http/route.ts'
import type { StartedStream } from '#base/server/http/serve.ts'
import type { Language } from '#base/server/words.ts'

/** The server stops; what had come by then is kept. */
export const ServerStops = refusal('base.serverStops', { status: 503, retryAfter: 10 })

/** The reader closed the connection: nobody hears the rest. */
export class ReaderLeft extends Error {
  override name = 'ReaderLeft'
}

type Streamed = Pick<Streaming, 'viewerNow'> & { begun: StartedStream; language: Language }
export type SendStream = (request: FastifyRequest, reply: FastifyReply, streamed: Streamed) => Promise<FastifyReply>

type StreamOptions = {
  headers: Record<string, string>
  log: Log
  heartbeatMs?: number
  /** How long a reader that takes nothing can hold up a server that stops. */
  stopMs?: number
}

/**
 * Sends streamed answers as server-sent events: each piece is one, `end` or `refused` is the last. The signal of the work aborts when the reader
 * leaves or the server stops; the answer is over when the work is, so that a server that stops waits for what it still keeps.
 */
export function streamsOf(app: FastifyInstance, { headers, log, heartbeatMs = 15_000, stopMs = 5_000 }: StreamOptions): SendStream {
  const open = new Map<ServerResponse, AbortController>()
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    for (const [response, end] of open) {
      end.abort(ServerStops())
      const late = setTimeout(() => response.destroy(), stopMs)
      response.once('close', () => clearTimeout(late))
    }
  })

  return async (request, reply, { begun, viewerNow, language }) => {
    const { raw } = reply
    const end = new AbortController()
    open.set(raw, end)
    const leave = () => {
      open.delete(raw)
      end.abort(new ReaderLeft('The reader left'))
    }
    raw.once('close', leave)
    reply.hijack()
    if (raw.destroyed) leave()
    else beginEvents(raw, headers)
    if (isStopping) end.abort(ServerStops())
    const heart = setInterval(() => raw.writableNeedDrain || tell(raw, ': \n\n'), heartbeatMs)
    try {
      let id = 0
      for await (const piece of begun({ signal: end.signal, viewerNow })) await put(raw, `id: ${++id}\ndata: ${piece}\n\n`, end.signal)
      end.signal.throwIfAborted()
      tell(raw, 'event: end\ndata: {}\n\n')
    } catch (error) {
      const { status, body, isOurFault } = refused(end.signal.reason ?? error, language, request.method)
      if (isOurFault && error !== end.signal.reason)
        log.error({ err: error, route: request.routeOptions.url, request: request.id }, 'A stream failed')
      tell(raw, `event: refused\ndata: ${JSON.stringify({ status, body })}\n\n`)
    } finally {
      clearInterval(heart)
      raw.end()
    }
    return reply
  }
}

/** Writes to a reader that is still there. Gives false while it takes no more. */
function tell(response: ServerResponse, text: string): boolean {
  return response.destroyed || response.write(text)
}

// A reader that is slow holds the work back. What is still said once it must end is not for one who takes nothing.
async function put(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted && response.writableNeedDrain) return
  if (tell(response, text) || signal.aborted) return
  try {
    await once(response, 'drain', { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The head of a response that goes on as server-sent events. */
export function beginEvents(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // Nothing on the way may hold it back to compress, collect or keep it.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  response.flushHeaders()
}
