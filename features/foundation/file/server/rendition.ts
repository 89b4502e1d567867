import { buffer } from 'node:stream/consumers'
import { widthsInPosts, type RenditionWidth } from '#file/limits.ts'
import type { PictureFormat } from '#file/server/picture.ts'
import { originalForms, originalName, type OriginalForm, type Storage } from '#file/server/storage-types.ts'
import { runTask } from '#file/server/picture-workers.ts'

const inFlight = new Map<string, Promise<boolean>>()
// A larger AVIF takes longer than it is worth.
const maxAvifPixels = 6_600_000

export function nameOf(id: string, width: RenditionWidth, form: 'webp' | 'avif' = 'webp'): string {
  return `${id}.${width}.${form}`
}

/** Generates and stores a rendition, once for concurrent requests. Returns false if there is no such picture, or if it is not larger. */
export function makeRendition(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const name = nameOf(id, width)
  const running = inFlight.get(name) ?? makeOne(storage, id, width).finally(() => inFlight.delete(name))
  inFlight.set(name, running)
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
    const scaledWidth = Math.min(width, size.width)
    if (!webp || (scaledWidth * scaledWidth * size.height) / size.width > maxAvifPixels) continue
    const avif = await render(original, width, 'avif')
    if (avif.bytes.length < webp.length) await storage.put(nameOf(id, width, 'avif'), avif.bytes)
  }
}

/** A stored picture cannot be scaled down. */
export class NotScalable extends Error {
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
  const smaller = await render(original, width, 'webp')
  if (smaller.form !== 'webp') return null
  await storage.put(nameOf(id, width), smaller.bytes)
  return smaller.bytes
}

async function render(
  { bytes, form: kind }: Original,
  width: RenditionWidth,
  form: 'webp' | 'avif',
): Promise<{ bytes: Uint8Array; form: PictureFormat }> {
  const done = await runTask(bytes, { makes: 'rendition', kind, width, form }, 'renditions')
  if (typeof done === 'string') throw new NotScalable(done)
  return done
}
