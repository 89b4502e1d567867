import { buffer } from 'node:stream/consumers'
import { widthsInPosts, type RenditionWidth } from '#file/limits.ts'
import type { Form } from '#file/server/picture.ts'
import type { Storage } from '#file/server/stored.ts'
import { workOn } from '#file/server/picture-workers.ts'

const making = new Map<string, Promise<boolean>>()

export function nameOf(id: string, width: RenditionWidth | null, form: Form = 'webp'): string {
  return width === null ? `${id}.webp` : `${id}.${width}.${form}`
}

/** Makes a smaller one of a picture and keeps it. Many who ask at once wait for the same one. False when there is no such picture. */
export function makeRendition(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const name = nameOf(id, width)
  const running = making.get(name) ?? makeOne(storage, id, width).finally(() => making.delete(name))
  making.set(name, running)
  return running
}

async function makeOne(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const bytes = await originalOf(storage, id)
  if (bytes) await shrink(storage, id, bytes, width)
  return bytes !== null
}

/** Makes all that posts and lists ask for of one picture: each width as WebP, and as AVIF where that is smaller. */
export async function makeAll(storage: Storage, id: string, pictureWidth: number): Promise<void> {
  const bytes = await originalOf(storage, id)
  if (!bytes) return
  await shrink(storage, id, bytes, 240)
  const widest = widthsInPosts.findIndex((width) => width >= pictureWidth)
  for (const width of widthsInPosts.slice(0, widest < 0 ? undefined : widest + 1)) {
    const webp = await shrink(storage, id, bytes, width)
    const avif = await made(bytes, width, 'avif')
    if (avif.length < webp.length) await storage.put(nameOf(id, width, 'avif'), avif)
  }
}

/** Why a picture that is stored cannot be made smaller. */
export class Unmakeable extends Error {
  override name = 'Unmakeable'
}

async function originalOf(storage: Storage, id: string): Promise<Buffer | null> {
  const original = await storage.get(nameOf(id, null))
  return original && buffer(original.stream)
}

async function shrink(storage: Storage, id: string, bytes: Uint8Array, width: RenditionWidth): Promise<Uint8Array> {
  const smaller = await made(bytes, width, 'webp')
  await storage.put(nameOf(id, width), smaller)
  return smaller
}

async function made(bytes: Uint8Array, width: RenditionWidth, form: Form): Promise<Uint8Array> {
  const done = await workOn(bytes, { makes: 'rendition', kind: 'webp', width, form })
  if (typeof done === 'string') throw new Unmakeable(done)
  return done.bytes
}
