import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, CachedResponse } from '#base/server/cache/page-cache.ts'

/** Headers as Node takes them fastest: name, value, name, value. */
export function flat(headers: Record<string, string>): readonly string[] {
  return Object.entries(headers).flat()
}

/** Answers a request at once, or says that it did not. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Sends kept bytes as they are: nothing when the client has them already, compressed when it can read that.
 * Goes past the framework, which would look at every header and at the bytes once more; so `headers` are all that are sent beside what describes the bytes.
 */
export async function sendCached(
  kept: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: readonly string[],
): Promise<FastifyReply> {
  reply.hijack()
  if (!sendEncoded(kept, request.headers, reply.raw, headers)) {
    await kept.as(encodingOf(request.headers))
    sendEncoded(kept, request.headers, reply.raw, headers)
  }
  return reply
}

/** The same, if the bytes need not be compressed first. */
export function sendEncoded(
  kept: CachedResponse,
  asked: IncomingHttpHeaders,
  response: ServerResponse,
  headers: readonly string[],
): boolean {
  if (asked['if-none-match']?.includes(kept.etag)) {
    response.writeHead(304, [...headers, 'etag', kept.etag]).end()
    return true
  }
  const ready = kept.as(encodingOf(asked))
  if (ready instanceof Promise) return false
  response.writeHead(kept.status, [...headers, ...ready.about]).end(ready.bytes)
  return true
}

function encodingOf({ 'accept-encoding': accepted }: IncomingHttpHeaders): Encoding {
  const text = accepted?.toLowerCase() ?? ''
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text) ? 'gzip' : 'identity'
}
