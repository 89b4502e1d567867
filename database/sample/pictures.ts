import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const folder = new URL('./pictures/', import.meta.url)
const tagFolder = new URL('./tag-pictures/', import.meta.url)

/** Names of the sample's pictures, each a WebP file. */
export const pictureNames = namesIn(folder)
/** Keys of the tags with a picture, a small square. */
export const tagPictureKeys = namesIn(tagFolder)

export function readPicture(name: string): Promise<Buffer> {
  return readFile(new URL(`${name}.webp`, folder))
}

export function readTagPicture(key: string): Promise<Buffer> {
  return readFile(new URL(`${key}.webp`, tagFolder))
}

function namesIn(place: URL): string[] {
  return readdirSync(place).flatMap((file) => (file.endsWith('.webp') ? [file.slice(0, -'.webp'.length)] : []))
}
