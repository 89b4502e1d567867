import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { maskableSize, touchIconSize, type IconForm } from '#base/branding.ts'
import { storedSize, longestWebp, maxFrames, maxMegapixels, type BackdropTone, type Loss, type RenditionWidth } from '#file/limits.ts'
import { isMoving } from '#file/moving.ts'
import { backdropOf } from '#file/server/backdrop.ts'
import type { Kind } from '#file/server/kind.ts'

export type Crop = { x: number; y: number; width: number; height: number }

export type PictureTask =
  | { makes: 'picture'; kind: Kind }
  | { makes: 'avatar'; kind: Kind; crop: Crop }
  | { makes: 'rendition'; kind: Kind; width: RenditionWidth; form: 'webp' | 'avif' }
  | { makes: 'mark'; kind: Kind }
  | { makes: 'icon'; kind: Kind; side: IconForm }

/** JPEG and PNG are for pictures that exceed the limits of WebP. */
export type PictureFormat = 'webp' | 'jpeg' | 'png' | 'avif'
export type Picture = {
  bytes: Uint8Array
  form: PictureFormat
  width: number
  height: number
  moves: boolean
  ground: BackdropTone | null
  lost: Loss[]
}
export type Obstacle = 'unreadable' | 'pixels' | 'frames' | 'crop' | 'hard'

const avatarSide = 200
// Displayed far smaller, and sharp on screens with a pixel ratio of three.
const largestMark = { width: 1024, height: 512 }
const maxPixels = maxMegapixels * 1_000_000
// Small renditions are for lists and are not animated.
const narrowestThatMoves = 480
const behind: Record<BackdropTone, string> = { light: '#ffffff', dark: '#15171a', mid: '#8a8a86' }

/** Decodes a picture and encodes it again, as WebP where possible: upright, in sRGB, without metadata. */
export async function encodePicture(bytes: Uint8Array, task: PictureTask): Promise<Picture | Obstacle> {
  // Reads the header only, so the pixel limit is checked here.
  const header = await sharp(bytes, { ...reading, limitInputPixels: false, animated: mayMove(task.kind) })
    .metadata()
    .catch(() => null)
  if (!header || formatOf(header) !== task.kind) return 'unreadable'
  const obstacle = obstacleIn(header)
  if (obstacle) return obstacle
  if (task.makes === 'avatar' && !isWithin(task.crop, header)) return 'crop'

  const hasFrames = mayMove(task.kind) && (header.pages ?? 1) > 1
  const moves = hasFrames && (task.makes === 'picture' || (task.makes === 'rendition' && task.width >= narrowestThatMoves))
  if (task.makes === 'rendition' && isBestAlready(task, header, hasFrames)) return unchanged(bytes, header, hasFrames)

  const ground = header.hasAlpha && task.makes !== 'rendition' ? await backdropOf(sharp(bytes, { ...reading, autoOrient: true })) : null
  const input = () => shape(sharp(bytes, { ...reading, autoOrient: !moves, animated: moves }), task, { header, moves, ground })
  const { data, info, form } = await encoded(input, task, { header, moves })
  const output = { form, width: info.width, height: info.pageHeight ?? info.height, moves }
  return { bytes: data, ...output, ground, lost: task.makes === 'picture' ? lossesOf(bytes, header, output) : [] }
}

const reading: SharpOptions = { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error', unlimited: false }

function formatOf({ format, compression }: Metadata): string {
  return format === 'heif' && compression === 'av1' ? 'avif' : format
}

function obstacleIn({ width, height, pages = 1 }: Metadata): Obstacle | null {
  if (pages > maxFrames) return 'frames'
  return width * height > maxPixels ? 'pixels' : null
}

function mayMove(kind: Kind): boolean {
  return kind === 'gif' || kind === 'webp'
}

function isWithin({ x, y, width, height }: Crop, header: Metadata): boolean {
  const upright = header.autoOrient
  return x + width <= upright.width && y + height <= (header.pageHeight ?? upright.height)
}

// A rendition of the same size gains nothing, and AVIF is not animated.
function isBestAlready({ width, form }: { width: RenditionWidth; form: PictureFormat }, header: Metadata, hasFrames: boolean): boolean {
  if (form === 'avif') return hasFrames
  return header.width <= width && (!hasFrames || width >= narrowestThatMoves)
}

function unchanged(bytes: Uint8Array, { format, width, height, pageHeight }: Metadata, moves: boolean): Picture {
  const form = format === 'jpeg' || format === 'png' ? format : 'webp'
  return { bytes, form, width, height: pageHeight ?? height, moves, ground: null, lost: [] }
}

function sizeOf({ autoOrient: { width, height }, pageHeight = height }: Metadata): { width: number; height: number } {
  return { width, height: pageHeight }
}

type DecodedHeader = { header: Metadata; moves: boolean }

// Only WebP is animated.
function storedDimensions({ header, moves }: DecodedHeader): { width: number; height: number } {
  const { width, height } = storedSize(sizeOf(header))
  return moves ? { width: Math.min(width, longestWebp), height: Math.min(height, longestWebp) } : { width, height }
}

function shape(input: Sharp, task: PictureTask, { ground, ...known }: DecodedHeader & { ground: BackdropTone | null }): Sharp {
  const inside = { fit: 'inside', withoutEnlargement: true } as const
  if (task.makes === 'rendition') return input.resize({ width: task.width, height: longestWebp, ...inside })
  if (task.makes === 'picture') return input.resize({ ...storedDimensions(known), ...inside })
  if (task.makes === 'mark') return input.resize({ ...largestMark, ...inside })
  if (task.makes === 'icon') return asIcon(input, task.side)
  const { x, y, width, height } = task.crop
  const cropped = input.extract({ left: x, top: y, width, height }).resize(avatarSide, avatarSide, { fit: 'cover' })
  // It is shown on backgrounds of every colour.
  return ground ? cropped.flatten({ background: behind[ground] }) : cropped
}

// Whatever shape a home screen cuts, it leaves a circle of four fifths: a square within has this side.
const safeSide = 288

// Phones fill transparency with black.
function asIcon(input: Sharp, side: IconForm): Sharp {
  if (side === 'maskable') {
    const margin = (maskableSize - safeSide) / 2
    const around = { top: margin, bottom: margin, left: margin, right: margin, background: '#fff' }
    return input.resize(safeSide, safeSide, { fit: 'contain', background: '#0000' }).flatten({ background: '#fff' }).extend(around)
  }
  const square = input.resize(side, side, { fit: 'contain', background: '#0000' })
  return side === touchIconSize ? square.flatten({ background: '#fff' }) : square
}

type EncodedPicture = { data: Buffer; info: OutputInfo; form: PictureFormat }

async function encoded(input: () => Sharp, task: PictureTask, known: DecodedHeader): Promise<EncodedPicture> {
  if (task.makes === 'icon') return bytesOf('png', input().png())
  // Lossless, since artefacts are visible on drawings and text.
  if (task.makes === 'mark') return bytesOf('webp', input().webp({ lossless: true, effort: 4 }))
  if (task.makes === 'rendition' && task.form === 'avif') return bytesOf('avif', asAvif(input()))
  const webp = () => bytesOf('webp', asWebp(input(), task.kind, known.moves))
  if (task.makes !== 'picture' || known.moves) return webp()
  const { width, height } = storedDimensions(known)
  const other = () => (known.header.hasAlpha ? bytesOf('png', input().png()) : bytesOf('jpeg', asJpeg(input())))
  if (Math.max(width, height) > longestWebp) return other()
  // Noise in a large picture can exceed the size of a WebP partition.
  return webp().catch((error: unknown) => {
    if (!String(error).includes('unable to encode')) throw error
    return other()
  })
}

async function bytesOf(form: PictureFormat, output: Sharp): Promise<EncodedPicture> {
  return { ...(await output.toBuffer({ resolveWithObject: true })), form }
}

function asWebp(input: Sharp, kind: Kind, moves: boolean): Sharp {
  // Screenshots have sharp coloured edges; photographs do not need the bytes.
  const quality = kind === 'png' && !moves ? 90 : 82
  return input.webp({ quality, smartSubsample: !moves, effort: moves ? 2 : 4 })
}

function asJpeg(input: Sharp): Sharp {
  return input.jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
}

// A third smaller than WebP for a second of CPU time; more effort takes four times as long for another tenth.
function asAvif(input: Sharp): Sharp {
  return input.avif({ quality: 58, effort: 3, chromaSubsampling: '4:2:0' })
}

/** The properties of a picture that its stored form has lost. */
function lossesOf(bytes: Uint8Array, header: Metadata, output: { width: number; height: number; moves: boolean }): Loss[] {
  const { width, height } = sizeOf(header)
  const isSmaller = output.width < width || output.height < height
  const isDeep = header.depth === 'ushort' || (header.bitsPerSample ?? 8) > 8
  return [
    ...(isSmaller ? ['size' as const] : []),
    ...(!output.moves && isMoving(bytes) ? ['motion' as const] : []),
    ...(isDeep ? ['depth' as const] : []),
  ]
}
