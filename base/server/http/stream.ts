import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#base/server/log.ts'
import { refusal } from '#base/contract.ts'
import { errorAnswer } from '#base/server/http/refuse.ts'
import type { StreamContext } from '#base/server/http/route.ts'
import type { StartedStream } from '#base/server/http/serve.ts'
import type { Language } from '#base/server/words.ts'

/** The server stops; everything received so far is stored. */
export const ServerStopping = refusal('base.serverStops', { status: 503, retryAfter: 10 })

/** The client closed the connection. */
export class ClientDisconnected extends Error {
  override name = 'ReaderLeft'
}

type StreamedAnswer = Pick<StreamContext, 'viewerNow'> & { start: StartedStream; language: Language }
export type SendStream = (request: FastifyRequest, reply: FastifyReply, streamed: StreamedAnswer) => Promise<FastifyReply>

type StreamOptions = {
  headers: Record<string, string>
  log: Log
  heartbeatMs?: number
  /** How long a client that reads nothing can delay a shutdown. */
  stopMs?: number
}

/**
 * Sends streamed answers as server-sent events: each chunk is one event, and `end` or `refused` is the last. The signal aborts when the
 * client disconnects or the server stops. The response ends with the work, so that a stopping server waits for what is still being stored.
 */
export function eventStreamSender(app: FastifyInstance, { headers, log, heartbeatMs = 10_000, stopMs = 5_000 }: StreamOptions): SendStream {
  const open = new Map<ServerResponse, AbortController>()
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    for (const [response, end] of open) {
      end.abort(ServerStopping())
      const late = setTimeout(() => response.destroy(), stopMs)
      response.once('close', () => clearTimeout(late))
    }
  })

  return async (request, reply, { start, viewerNow, language }) => {
    const { raw } = reply
    const end = new AbortController()
    open.set(raw, end)
    const leave = () => {
      open.delete(raw)
      end.abort(new ClientDisconnected('The reader left'))
    }
    raw.once('close', leave)
    reply.hijack()
    if (raw.destroyed) leave()
    else startEventStream(raw, headers)
    if (isStopping) end.abort(ServerStopping())
    const heartbeat = setInterval(() => raw.writableNeedDrain || write(raw, ': \n\n'), heartbeatMs)
    try {
      let id = 0
      for await (const piece of start({ signal: end.signal, viewerNow }))
        await writeAndDrain(raw, `id: ${++id}\ndata: ${piece}\n\n`, end.signal)
      end.signal.throwIfAborted()
      write(raw, 'event: end\ndata: {}\n\n')
    } catch (error) {
      const { status, body, isOurFault } = errorAnswer(end.signal.reason ?? error, language, request.method)
      if (isOurFault && error !== end.signal.reason)
        log.error({ err: error, route: request.routeOptions.url, request: request.id }, 'A stream failed')
      write(raw, `event: refused\ndata: ${JSON.stringify({ status, body })}\n\n`)
    } finally {
      clearInterval(heartbeat)
      raw.end()
    }
    return reply
  }
}

/** Writes unless the client is gone. Returns false if the buffer is full. */
function write(response: ServerResponse, text: string): boolean {
  return response.destroyed || response.write(text)
}

// A slow client slows the work. After an abort, a client with a full buffer gets nothing more.
async function writeAndDrain(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted && response.writableNeedDrain) return
  if (write(response, text) || signal.aborted) return
  try {
    await once(response, 'drain', { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Sends the head of a server-sent event stream. */
export function startEventStream(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // No proxy may buffer, compress or cache it. Those that overlook no-transform leave a named coding alone; without it, Caddy before 2.7
    // compresses a stream that begins with more than 512 bytes, and keeps it in the compressor.
    'cache-control': 'no-store, no-transform',
    'content-encoding': 'identity',
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  response.flushHeaders()
}
