import type { FastifyReply, FastifyRequest } from 'fastify'
import { Missing, Refusal } from '#base/contract.ts'
import { TooManyAtWork } from '#file/contract.ts'
import { renditionWidths, type RenditionWidth } from '#file/limits.ts'
import type { FileRecord } from '#file/server/public-files.ts'
import { makeRendition, nameOf } from '#file/server/rendition.ts'
import { originalForms, originalName, type Storage } from '#file/server/storage-types.ts'

export type PictureContext = { request: FastifyRequest; reply: FastifyReply; storage: Storage; file: FileRecord; until: Date | null }
export type PictureVariant = { width: RenditionWidth | null; isAvif: boolean }

/** Parses `?w=240` and `?as=avif`: an available rendition, or the original. */
export function parseVariant(width: unknown, format: unknown): PictureVariant {
  const found = renditionWidths.find((one) => String(one) === width) ?? null
  const isAvif = format === 'avif'
  if ((width !== undefined && found === null) || (format !== undefined && (!isAvif || found === null))) throw Missing()
  return { width: found, isAvif }
}

/** Sends a picture in the requested rendition or, uncached, the nearest available one. */
export async function sendPicture(context: PictureContext, { width, isAvif }: PictureVariant): Promise<FastifyReply> {
  const { file, reply, storage } = context
  if (width === null) return sendWhole(context)
  if (isAvif && (await sendIfExists(context, nameOf(file.id, width, 'avif')))) return reply
  // After rendering, a missing AVIF means that it was not smaller, and the WebP replaces it permanently.
  const isFinal = !isAvif || file.isRendered
  const name = nameOf(file.id, width)
  if (await sendIfExists(context, name, isFinal)) return reply
  const isMade = await makeRendition(storage, file.id, width).catch(falseIfBusy)
  if (isMade && (await sendIfExists(context, name, isFinal))) return reply
  return sendWhole(context, false)
}

async function sendWhole(context: PictureContext, isFinal = true): Promise<FastifyReply> {
  for (const form of originalForms) if (await sendIfExists(context, originalName(context.file.id, form), isFinal)) return context.reply
  throw Missing()
}

function falseIfBusy(error: unknown): false {
  if (error instanceof Refusal && error.kind === TooManyAtWork) return false
  throw error
}

async function sendIfExists({ request, reply, storage, until }: PictureContext, name: string, isFinal = true): Promise<boolean> {
  const etag = `"${name}"`
  const isKnown = isFinal && Boolean(request.headers['if-none-match']?.includes(etag))
  const stored = isKnown ? null : await storage.get(name)
  if (!isKnown && !stored) return false
  reply.headers({
    etag,
    'cache-control': isFinal ? cacheControl(until) : 'no-store',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': `inline; filename="${name}"`,
  })
  if (stored)
    void reply
      .type(`image/${name.slice(name.lastIndexOf('.') + 1)}`)
      .header('content-length', stored.bytes)
      .send(stored.stream)
  else void reply.code(304).send()
  return true
}

/**
 * The bytes never change, but access does: shared caches revalidate after a minute. A response with a key is cached by the browser
 * only, until the key expires.
 */
export function cacheControl(until: Date | null): string {
  if (until === null) return 'public, max-age=86400, s-maxage=60'
  return `private, max-age=${Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000))}`
}
