import { buffer } from 'node:stream/consumers'
import { widthsInPosts, type RenditionWidth } from '#file/limits.ts'
import type { Form } from '#file/server/picture.ts'
import { originalForms, originalName, type OriginalForm, type Storage } from '#file/server/stored.ts'
import { workOn } from '#file/server/picture-workers.ts'

const making = new Map<string, Promise<boolean>>()
// A larger AVIF takes longer than it is worth.
const mostAvifPixels = 6_600_000

export function nameOf(id: string, width: RenditionWidth, form: 'webp' | 'avif' = 'webp'): string {
  return `${id}.${width}.${form}`
}

/** Generates and stores a rendition, once for concurrent requests. Returns false if there is no such picture, or if it is not larger. */
export function makeRendition(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const name = nameOf(id, width)
  const running = making.get(name) ?? makeOne(storage, id, width).finally(() => making.delete(name))
  making.set(name, running)
  return running
}

async function makeOne(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const original = await originalOf(storage, id)
  return original !== null && (await shrink(storage, id, original, width)) !== null
}

type Size = { width: number; height: number }

/** Generates all renditions that posts and lists use: each width as WebP, and as AVIF if that is smaller. */
export async function makeAll(storage: Storage, id: string, size: Size): Promise<void> {
  const original = await originalOf(storage, id)
  if (!original) return
  await shrink(storage, id, original, 240)
  const widest = widthsInPosts.findIndex((width) => width >= size.width)
  for (const width of widthsInPosts.slice(0, widest < 0 ? undefined : widest + 1)) {
    const webp = await shrink(storage, id, original, width)
    const shown = Math.min(width, size.width)
    if (!webp || (shown * shown * size.height) / size.width > mostAvifPixels) continue
    const avif = await made(original, width, 'avif')
    if (avif.bytes.length < webp.length) await storage.put(nameOf(id, width, 'avif'), avif.bytes)
  }
}

/** A stored picture cannot be scaled down. */
export class Unmakeable extends Error {
  override name = 'Unmakeable'
}

type Original = { bytes: Buffer; form: OriginalForm }

/** The stored original in its format; null if it was deleted. */
export async function originalOf(storage: Storage, id: string): Promise<Original | null> {
  for (const form of originalForms) {
    const original = await storage.get(originalName(id, form))
    if (original) return { bytes: await buffer(original.stream), form }
  }
  return null
}

// A picture beyond the limits of WebP is served as it is where no smaller rendition is requested.
async function shrink(storage: Storage, id: string, original: Original, width: RenditionWidth): Promise<Uint8Array | null> {
  const smaller = await made(original, width, 'webp')
  if (smaller.form !== 'webp') return null
  await storage.put(nameOf(id, width), smaller.bytes)
  return smaller.bytes
}

async function made(
  { bytes, form: kind }: Original,
  width: RenditionWidth,
  form: 'webp' | 'avif',
): Promise<{ bytes: Uint8Array; form: Form }> {
  const done = await workOn(bytes, { makes: 'rendition', kind, width, form }, 'renditions')
  if (typeof done === 'string') throw new Unmakeable(done)
  return done
}
