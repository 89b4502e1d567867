import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, CachedResponse } from '#base/server/cache/page-cache.ts'

/** Headers in the form Node takes fastest: name, value, name, value. */
export function flat(headers: Record<string, string>): readonly string[] {
  return Object.entries(headers).flat()
}

/** Answers a request at once and returns true, or returns false. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Sends cached bytes: 304 if the client has them already, compressed if it accepts that. Bypasses the framework, which would look at every
 * header and at the bytes once more, so `headers` are all that is sent beside the headers of the body.
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

/** The same, unless the bytes must be compressed first; returns whether it answered. */
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
