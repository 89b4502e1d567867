import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedResponse, Encoding } from '#base/server/cache/cached-response.ts'

/** Headers in the form Node takes fastest: name, value, name, value. */
export function flattenHeaders(headers: Record<string, string>): readonly string[] {
  return Object.entries(headers).flat()
}

/** Answers a request at once and returns true, or returns false. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Sends cached bytes: 304 if the client has them already, compressed if it accepts that. Bypasses the framework, which would look at every
 * header and at the bytes once more, so `headers` are all that is sent beside the headers of the body.
 */
export async function sendCached(
  cached: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: readonly string[],
): Promise<FastifyReply> {
  reply.hijack()
  if (!sendEncoded(cached, request.headers, reply.raw, headers)) {
    await cached.encoded(encodingOf(request.headers))
    sendEncoded(cached, request.headers, reply.raw, headers)
  }
  return reply
}

/** The same, unless the bytes must be compressed first; returns whether it answered. */
export function sendEncoded(
  cached: CachedResponse,
  requestHeaders: IncomingHttpHeaders,
  response: ServerResponse,
  headers: readonly string[],
): boolean {
  if (requestHeaders['if-none-match']?.includes(cached.etag)) {
    response.writeHead(304, [...headers, 'etag', cached.etag]).end()
    return true
  }
  const ready = cached.encoded(encodingOf(requestHeaders))
  if (ready instanceof Promise) return false
  response.writeHead(cached.status, ready.headersAfter(headers)).end(ready.bytes)
  return true
}

function encodingOf({ 'accept-encoding': accepted }: IncomingHttpHeaders): Encoding {
  const text = accepted?.toLowerCase() ?? ''
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text) ? 'gzip' : 'identity'
}
