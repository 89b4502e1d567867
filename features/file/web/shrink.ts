import { longestSide } from '#file/limits.ts'

// What is smaller is sent as it is: the server makes it anew in any case, and each time costs some quality.
const enoughBytes = 1_500_000

/** A photograph in the size in which it will be kept, so that a telephone sends a tenth of it. What moves, or what this browser cannot read, stays as it is. */
export async function shrunk(file: File): Promise<File> {
  if (!(await mayShrink(file))) return file
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return file
  try {
    const part = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
    const isForeign = isHeic(file)
    if (part === 1 && file.size <= enoughBytes && !isForeign) return file
    const smaller = await drawn(bitmap, part, file.type === 'image/png' ? 'image/webp' : 'image/jpeg')
    if (!smaller || (smaller.size > file.size * 0.9 && !isForeign)) return file
    const end = smaller.type.split('/')[1] ?? 'jpeg'
    return new File([smaller], `${file.name.replace(/\.\w+$/, '')}.${end}`, { type: smaller.type })
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

/** Whether a WebP says it is an animation, or a PNG has the chunk that makes it one. */
export function isMoving(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 8192))
  if (text.startsWith('RIFF')) return text.slice(12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) === 2
  const data = text.indexOf('IDAT')
  const control = text.indexOf('acTL')
  return control >= 0 && (data < 0 || control < data)
}

function drawn(bitmap: ImageBitmap, part: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * part))
  canvas.height = Math.max(1, Math.round(bitmap.height * part))
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((settle) => canvas.toBlob(settle, type, 0.9))
}
