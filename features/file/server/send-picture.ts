import type { FastifyReply, FastifyRequest } from 'fastify'
import { Missing, Refusal } from '#base/contract.ts'
import { TooManyAtWork } from '#file/contract.ts'
import { renditionWidths, type RenditionWidth } from '#file/limits.ts'
import type { Known } from '#file/server/shown-to-all.ts'
import { makeRendition, nameOf } from '#file/server/rendition.ts'
import { originalForms, originalName, type Storage } from '#file/server/stored.ts'

export type PictureContext = { request: FastifyRequest; reply: FastifyReply; storage: Storage; file: Known; until: Date | null }
export type PictureVariant = { width: RenditionWidth | null; isAvif: boolean }

/** Parses `?w=240` and `?as=avif`: an available rendition, or the original. */
export function wantedOf(width: unknown, format: unknown): PictureVariant {
  const found = renditionWidths.find((one) => String(one) === width) ?? null
  const isAvif = format === 'avif'
  if ((width !== undefined && found === null) || (format !== undefined && (!isAvif || found === null))) throw Missing()
  return { width: found, isAvif }
}

/** Sends a picture in the requested rendition or, uncached, the nearest available one. */
export async function sendPicture(ground: PictureContext, { width, isAvif }: PictureVariant): Promise<FastifyReply> {
  const { file, reply, storage } = ground
  if (width === null) return sendWhole(ground)
  if (isAvif && (await sendsIfThere(ground, nameOf(file.id, width, 'avif')))) return reply
  // After rendering, a missing AVIF means that it was not smaller, and the WebP replaces it permanently.
  const isFinal = !isAvif || file.isRendered
  const name = nameOf(file.id, width)
  if (await sendsIfThere(ground, name, isFinal)) return reply
  const isMade = await makeRendition(storage, file.id, width).catch(falseIfBusy)
  if (isMade && (await sendsIfThere(ground, name, isFinal))) return reply
  return sendWhole(ground, false)
}

async function sendWhole(ground: PictureContext, isFinal = true): Promise<FastifyReply> {
  for (const form of originalForms) if (await sendsIfThere(ground, originalName(ground.file.id, form), isFinal)) return ground.reply
  throw Missing()
}

function falseIfBusy(error: unknown): false {
  if (error instanceof Refusal && error.kind === TooManyAtWork) return false
  throw error
}

async function sendsIfThere({ request, reply, storage, until }: PictureContext, name: string, isFinal = true): Promise<boolean> {
  const etag = `"${name}"`
  const isKnown = isFinal && Boolean(request.headers['if-none-match']?.includes(etag))
  const stored = isKnown ? null : await storage.get(name)
  if (!isKnown && !stored) return false
  reply.headers({
    etag,
    'cache-control': isFinal ? keptFor(until) : 'no-store',
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
export function keptFor(until: Date | null): string {
  if (until === null) return 'public, max-age=86400, s-maxage=60'
  return `private, max-age=${Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000))}`
}
