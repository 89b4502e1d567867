import type { FastifyReply } from 'fastify'
import { Missing } from '#base/contract.ts'
import { cacheControl, type PictureContext } from '#file/server/send-picture.ts'
import { attachmentName, type ByteRange } from '#file/server/storage-types.ts'

/** Sends a file as a download, never inline: as octet-stream, sandboxed, with support for ranges. */
export async function sendAttachment({ request, reply, storage, file, until }: PictureContext): Promise<FastifyReply> {
  const name = attachmentName(file.id)
  const etag = `"${name}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': cacheControl(until),
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': dispositionOf(file.name ?? 'file'),
    'content-type': 'application/octet-stream',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  // A client with a part of another version gets the whole file.
  const had = request.headers['if-range']
  const part = partIn(had === undefined || had === etag ? request.headers.range : undefined, file.bytes)
  if (part === 'outside') return reply.code(416).header('content-range', `bytes */${file.bytes}`).send()
  const stored = await storage.get(name, part ?? undefined)
  if (!stored) throw Missing()
  if (!part) return reply.header('content-length', stored.bytes).send(stored.stream)
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${part.from}-${part.to}/${stored.bytes}`, 'content-length': part.to - part.from + 1 })
    .send(stored.stream)
}

/** The only range in the header; null for several or invalid ones, so that the whole file is sent. */
export function partIn(header: string | undefined, bytes: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return from <= to ? { from, to } : 'outside'
}

/** The name in UTF-8, with an ASCII fallback. */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w.()-]+/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
