import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { touchSide, type IconSide } from '#base/look.ts'
import { longestSide, mostFrames, mostMegapixels, type RenditionWidth } from '#file/limits.ts'
import type { Kind } from '#file/server/kind.ts'

export type Crop = { x: number; y: number; width: number; height: number }

/** What shall become of a picture. */
export type Task =
  | { makes: 'picture'; kind: Kind }
  | { makes: 'avatar'; kind: Kind; crop: Crop }
  | { makes: 'rendition'; kind: Kind; width: RenditionWidth; form: Form }
  | { makes: 'mark'; kind: Kind }
  | { makes: 'icon'; kind: Kind; side: IconSide }

export type Form = 'webp' | 'avif'
export type Picture = { bytes: Uint8Array; width: number; height: number; moves: boolean }
export type Obstacle = 'unreadable' | 'pixels' | 'frames' | 'crop' | 'hard'

const avatarSide = 200
// Shown far smaller, and sharp all the same where a screen has three dots for one.
const largestMark = { width: 1024, height: 512 }
const mostPixels = mostMegapixels * 1_000_000
const seconds = 20
// Small renditions stand in lists, where nothing shall move.
const narrowestThatMoves = 480

/** Decodes a picture and encodes it anew as WebP: turned upright, in sRGB, with nothing but its pixels left. */
export async function work(bytes: Uint8Array, task: Task): Promise<Picture | Obstacle> {
  // Only the header is read here, so the limit on pixels is ours to check.
  const header = await sharp(bytes, { ...reading, limitInputPixels: false, animated: mayMove(task.kind) })
    .metadata()
    .catch(() => null)
  if (!header || formatOf(header) !== task.kind) return 'unreadable'
  const obstacle = obstacleIn(header)
  if (obstacle) return obstacle
  if (task.makes === 'avatar' && !isWithin(task.crop, header)) return 'crop'

  const isMoving = mayMove(task.kind) && (header.pages ?? 1) > 1
  const moves = isMoving && (task.makes === 'picture' || (task.makes === 'rendition' && task.width >= narrowestThatMoves))
  if (task.makes === 'rendition' && isBest(task, header, isMoving)) return { ...asItIs(bytes, header), moves: isMoving }

  const input = shape(sharp(bytes, { ...reading, autoOrient: !moves, animated: moves }), task)
  const encoded = encode(input, task, moves)
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, moves }
}

const reading: SharpOptions = { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error', unlimited: false }

function formatOf({ format, compression }: Metadata): string {
  return format === 'heif' && compression === 'av1' ? 'avif' : format
}

function obstacleIn({ width, height, pages = 1 }: Metadata): Obstacle | null {
  if (pages > mostFrames) return 'frames'
  return width * height > mostPixels ? 'pixels' : null
}

function mayMove(kind: Kind): boolean {
  return kind === 'gif' || kind === 'webp'
}

function isWithin({ x, y, width, height }: Crop, header: Metadata): boolean {
  const upright = header.autoOrient
  return x + width <= upright.width && y + height <= (header.pageHeight ?? upright.height)
}

// Nothing is gained by another of the same size, and AVIF cannot move.
function isBest({ width, form }: { width: RenditionWidth; form: Form }, header: Metadata, isMoving: boolean): boolean {
  if (form === 'avif') return isMoving
  return header.width <= width && (!isMoving || width >= narrowestThatMoves)
}

function asItIs(bytes: Uint8Array, { width, height, pageHeight }: Metadata) {
  return { bytes, width, height: pageHeight ?? height }
}

function shape(input: Sharp, task: Task): Sharp {
  if (task.makes === 'rendition') return input.resize({ width: task.width, withoutEnlargement: true })
  if (task.makes === 'picture') return input.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
  if (task.makes === 'mark') return input.resize({ ...largestMark, fit: 'inside', withoutEnlargement: true })
  if (task.makes === 'icon') return asIcon(input, task.side)
  const { x, y, width, height } = task.crop
  return input.extract({ left: x, top: y, width, height }).resize(avatarSide, avatarSide, { fit: 'cover' })
}

// A telephone paints black behind what shines through.
function asIcon(input: Sharp, side: IconSide): Sharp {
  const square = input.resize(side, side, { fit: 'contain', background: '#0000' })
  return side === touchSide ? square.flatten({ background: '#fff' }) : square
}

function encode(input: Sharp, task: Task, moves: boolean): Sharp {
  if (task.makes === 'icon') return input.png().timeout({ seconds })
  // Drawn lines and letters show every loss.
  if (task.makes === 'mark') return input.webp({ lossless: true, effort: 4 }).timeout({ seconds })
  return task.makes === 'rendition' && task.form === 'avif' ? asAvif(input) : asWebp(input, task.kind, moves)
}

function asWebp(input: Sharp, kind: Kind, moves: boolean): Sharp {
  // Screenshots have sharp coloured edges; photographs do not need the bytes.
  const quality = kind === 'png' && !moves ? 90 : 82
  return input.webp({ quality, smartSubsample: !moves, effort: moves ? 2 : 4 }).timeout({ seconds })
}

// A third smaller than WebP for a second's work; more effort takes four times as long for a tenth.
function asAvif(input: Sharp): Sharp {
  return input.avif({ quality: 58, effort: 3, chromaSubsampling: '4:2:0' }).timeout({ seconds })
}
