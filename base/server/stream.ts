import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#base/server/log.ts'
import { refusal } from '#base/contract.ts'
import { refused } from '#base/server/refuse.ts'
import type { Streaming } from '#base/server/route.ts'
import type { Begun } from '#base/server/serve.ts'
import type { Language } from '#base/server/words.ts'

/** The server stops; what had come by then is kept. */
export const ServerStops = refusal('base.serverStops', { status: 503, retryAfter: 10 })

/** The reader closed the connection: nobody hears the rest. */
export class ReaderLeft extends Error {
  override name = 'ReaderLeft'
}

type Streamed = Pick<Streaming, 'viewerNow'> & { begun: Begun; language: Language }
export type SendStream = (request: FastifyRequest, reply: FastifyReply, streamed: Streamed) => Promise<FastifyReply>

type Ground = { headers: Record<string, string>; log: Log }

const heartbeatMs = 15_000

/**
 * Sends streamed answers as server-sent events: each piece is one, `end` or `refused` is the last. The signal of the work aborts when the reader
 * leaves or the server stops; the answer is over when the work is, so that a server that stops waits for what it still keeps.
 */
export function streamsOf(app: FastifyInstance, { headers, log }: Ground): SendStream {
  const open = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const one of open) one.abort(ServerStops())
  })

  return async (request, reply, { begun, viewerNow, language }) => {
    const { raw } = reply
    const end = new AbortController()
    open.add(end)
    const leave = () => end.abort(new ReaderLeft('The reader left'))
    raw.once('close', leave)
    reply.hijack()
    beginEvents(raw, headers)
    const heart = setInterval(() => raw.write(': \n\n'), heartbeatMs)
    try {
      let id = 0
      for await (const piece of begun({ signal: end.signal, viewerNow })) await put(raw, `id: ${++id}\ndata: ${piece}\n\n`, end.signal)
      raw.write('event: end\ndata: {}\n\n')
    } catch (error) {
      const { status, body, isOurFault } = refused(error, language, request.method)
      if (isOurFault) log.error({ err: error, route: request.routeOptions.url, request: request.id }, 'A stream failed')
      raw.write(`event: refused\ndata: ${JSON.stringify({ status, body })}\n\n`)
    } finally {
      clearInterval(heart)
      open.delete(end)
      raw.off('close', leave)
      raw.end()
    }
    return reply
  }
}

// A reader that is slow holds the work back; for one that left nothing is written.
async function put(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return
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
