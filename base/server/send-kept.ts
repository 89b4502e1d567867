import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, Kept } from '#base/server/page-cache.ts'

/** Headers as Node takes them fastest: name, value, name, value. */
export function flat(headers: Record<string, string>): readonly string[] {
  return Object.entries(headers).flat()
}

/**
 * Sends kept bytes as they are: nothing when the client has them already, compressed when it can read that.
 * Goes past the framework, which would look at every header and at the bytes once more; so `headers` are all that are sent beside what describes the bytes.
 */
export async function sendKept(
  kept: Kept,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: readonly string[],
): Promise<FastifyReply> {
  reply.hijack()
  if (request.headers['if-none-match']?.includes(kept.etag)) {
    reply.raw.writeHead(304, [...headers, 'etag', kept.etag]).end()
    return reply
  }
  const ready = kept.as(encodingOf(request.headers['accept-encoding']))
  const { bytes, about } = ready instanceof Promise ? await ready : ready
  reply.raw.writeHead(kept.status, [...headers, ...about]).end(bytes)
  return reply
}

function encodingOf(accepted: string | string[] | undefined): Encoding {
  const text = String(accepted ?? '')
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(text) ? 'gzip' : 'identity'
}
