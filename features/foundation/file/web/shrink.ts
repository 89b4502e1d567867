import { storedSize, longestWebp } from '#file/limits.ts'
import { isMoving } from '#file/moving.ts'

// A smaller file is sent unchanged: the server re-encodes it in any case, and each step costs quality.
const enoughBytes = 1_500_000

export type ScaledPicture = { file: File; /** It has fewer pixels than the original. */ isSmaller: boolean }

/**
 * Scales a picture down to its stored size, so that a phone sends a tenth of a photograph. Animations and unreadable files stay
 * unchanged, and so does an acceptable PNG of that size, since artefacts are visible on text.
 */
export async function scaleDown(file: File, mostBytes: number): Promise<ScaledPicture> {
  const asItIs = { file, isSmaller: false }
  if (!(await mayShrink(file))) return asItIs
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return asItIs
  try {
    const size = storedSize(bitmap)
    const isSmaller = size.width < bitmap.width || size.height < bitmap.height
    const isForeign = isHeic(file)
    const enough = file.type === 'image/png' ? mostBytes : enoughBytes
    if (!isSmaller && file.size <= enough && !isForeign) return asItIs
    const smaller = await drawScaled(bitmap, size, typeFor(file, size))
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

/** A HEIC photograph, which few browsers read. Those that do send it as JPEG. */
export function isHeic({ name, type }: File): boolean {
  return /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name)
}

// JPEG has no transparency, and browsers silently crop what exceeds the limits of WebP.
function typeFor({ type }: File, { width, height }: { width: number; height: number }): string {
  if (type !== 'image/png' && type !== 'image/webp') return 'image/jpeg'
  return Math.max(width, height) > longestWebp ? 'image/png' : 'image/webp'
}

function drawScaled(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((settle) => canvas.toBlob(settle, type, 0.9))
}
