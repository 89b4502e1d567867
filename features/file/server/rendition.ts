import { buffer } from 'node:stream/consumers'
import type { RenditionWidth } from '#file/limits.ts'
import type { Storage } from '#file/server/storage.ts'
import { workOn } from '#file/server/workshop.ts'

const making = new Map<string, Promise<boolean>>()

export function nameOf(id: string, width: RenditionWidth | null, form: 'webp' | 'avif' = 'webp'): string {
  return width === null ? `${id}.webp` : `${id}.${width}.${form}`
}

/** Makes a smaller one of a picture and keeps it. Many who ask at once wait for the same one. False when there is no such picture. */
export function makeRendition(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const name = nameOf(id, width)
  const running = making.get(name) ?? shrink(storage, id, width).finally(() => making.delete(name))
  making.set(name, running)
  return running
}

async function shrink(storage: Storage, id: string, width: RenditionWidth): Promise<boolean> {
  const original = await storage.get(nameOf(id, null))
  if (!original) return false
  const made = await workOn(await buffer(original.stream), { makes: 'rendition', kind: 'webp', width })
  if (typeof made === 'string') throw new Error(`A stored picture could not be made smaller: ${made}`)
  await storage.put(nameOf(id, width), made.bytes)
  return true
}
