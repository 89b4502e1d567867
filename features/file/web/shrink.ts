import { keptSize, longestWebp } from '#file/limits.ts'
import { isMoving } from '#file/moving.ts'

// What is smaller is sent as it is: the server makes it anew in any case, and each time costs some quality.
const enoughBytes = 1_500_000

export type Shrunk = { file: File; /** It has fewer pixels than it had. */ isSmaller: boolean }

/**
 * A picture in the size in which it will be kept, so that a telephone sends a tenth of a photograph. What moves, or what this browser cannot read,
 * stays as it is; so does a PNG of that size which the site takes, for writing in it shows every loss.
 */
export async function shrunk(file: File, mostBytes: number): Promise<Shrunk> {
  const asItIs = { file, isSmaller: false }
  if (!(await mayShrink(file))) return asItIs
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return asItIs
  try {
    const size = keptSize(bitmap)
    const isSmaller = size.width < bitmap.width || size.height < bitmap.height
    const isForeign = isHeic(file)
    const enough = file.type === 'image/png' ? mostBytes : enoughBytes
    if (!isSmaller && file.size <= enough && !isForeign) return asItIs
    const smaller = await drawn(bitmap, size, typeFor(file, size))
    if (!smaller || (smaller.size > file.size * 0.9 && !isForeign)) return asItIs
    const end = smaller.type.split('/')[1] ?? 'jpeg'
    return { file: new File([smaller], `${file.name.replace(/\.\w+$/, '')}.${end}`, { type: smaller.type }), isSmaller }
  } finally {
    bitmap.close()
  }
}

async function mayShrink(file: File): Promise<boolean> {
  if (file.type === 'image/jpeg' || isHeic(file)) return true
  return (file.type === 'image/webp' || file.type === 'image/png') && !isMoving(new Uint8Array(await file.slice(0, 65_536).arrayBuffer()))
}

/** A photograph of a telephone, which few browsers read. Those that do send it as JPEG. */
export function isHeic({ name, type }: File): boolean {
  return /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name)
}

// JPEG holds nothing that is clear in part, and browsers cut without a word what WebP cannot hold.
function typeFor({ type }: File, { width, height }: { width: number; height: number }): string {
  if (type !== 'image/png' && type !== 'image/webp') return 'image/jpeg'
  return Math.max(width, height) > longestWebp ? 'image/png' : 'image/webp'
}

function drawn(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((settle) => canvas.toBlob(settle, type, 0.9))
}
