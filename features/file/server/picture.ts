import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { touchSide, type IconSide } from '#base/look.ts'
import { keptSize, longestWebp, mostFrames, mostMegapixels, type BackdropTone, type Loss, type RenditionWidth } from '#file/limits.ts'
import { isMoving } from '#file/moving.ts'
import { groundOf } from '#file/server/ground.ts'
import type { Kind } from '#file/server/kind.ts'

export type Crop = { x: number; y: number; width: number; height: number }

/** What shall become of a picture. */
export type Task =
  | { makes: 'picture'; kind: Kind }
  | { makes: 'avatar'; kind: Kind; crop: Crop }
  | { makes: 'rendition'; kind: Kind; width: RenditionWidth; form: 'webp' | 'avif' }
  | { makes: 'mark'; kind: Kind }
  | { makes: 'icon'; kind: Kind; side: IconSide }

/** JPEG and PNG hold what WebP cannot. */
export type Form = 'webp' | 'jpeg' | 'png' | 'avif'
export type Picture = {
  bytes: Uint8Array
  form: Form
  width: number
  height: number
  moves: boolean
  ground: BackdropTone | null
  lost: Loss[]
}
export type Obstacle = 'unreadable' | 'pixels' | 'frames' | 'crop' | 'hard'

const avatarSide = 200
// Shown far smaller, and sharp all the same where a screen has three dots for one.
const largestMark = { width: 1024, height: 512 }
const mostPixels = mostMegapixels * 1_000_000
const seconds = 20
// Small renditions stand in lists, where nothing shall move.
const narrowestThatMoves = 480
const behind: Record<BackdropTone, string> = { light: '#ffffff', dark: '#15171a', mid: '#8a8a86' }

/** Decodes a picture and encodes it anew, as WebP where that holds it: turned upright, in sRGB, with nothing but its pixels left. */
export async function work(bytes: Uint8Array, task: Task): Promise<Picture | Obstacle> {
  // Only the header is read here, so the limit on pixels is ours to check.
  const header = await sharp(bytes, { ...reading, limitInputPixels: false, animated: mayMove(task.kind) })
    .metadata()
    .catch(() => null)
  if (!header || formatOf(header) !== task.kind) return 'unreadable'
  const obstacle = obstacleIn(header)
  if (obstacle) return obstacle
  if (task.makes === 'avatar' && !isWithin(task.crop, header)) return 'crop'

  const hasFrames = mayMove(task.kind) && (header.pages ?? 1) > 1
  const moves = hasFrames && (task.makes === 'picture' || (task.makes === 'rendition' && task.width >= narrowestThatMoves))
  if (task.makes === 'rendition' && isBest(task, header, hasFrames)) return asItIs(bytes, header, hasFrames)

  const ground = header.hasAlpha && task.makes !== 'rendition' ? await groundOf(sharp(bytes, { ...reading, autoOrient: true })) : null
  const input = () => shape(sharp(bytes, { ...reading, autoOrient: !moves, animated: moves }), task, { header, moves, ground })
  const { data, info, form } = await encoded(input, task, { header, moves })
  const made = { form, width: info.width, height: info.pageHeight ?? info.height, moves }
  return { bytes: data, ...made, ground, lost: task.makes === 'picture' ? lossesOf(bytes, header, made) : [] }
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
function isBest({ width, form }: { width: RenditionWidth; form: Form }, header: Metadata, hasFrames: boolean): boolean {
  if (form === 'avif') return hasFrames
  return header.width <= width && (!hasFrames || width >= narrowestThatMoves)
}

function asItIs(bytes: Uint8Array, { format, width, height, pageHeight }: Metadata, moves: boolean): Picture {
  const form = format === 'jpeg' || format === 'png' ? format : 'webp'
  return { bytes, form, width, height: pageHeight ?? height, moves, ground: null, lost: [] }
}

function sizeOf({ autoOrient: { width, height }, pageHeight = height }: Metadata): { width: number; height: number } {
  return { width, height: pageHeight }
}

type Known = { header: Metadata; moves: boolean }

// Only WebP moves.
function keptOf({ header, moves }: Known): { width: number; height: number } {
  const { width, height } = keptSize(sizeOf(header))
  return moves ? { width: Math.min(width, longestWebp), height: Math.min(height, longestWebp) } : { width, height }
}

function shape(input: Sharp, task: Task, { ground, ...known }: Known & { ground: BackdropTone | null }): Sharp {
  const inside = { fit: 'inside', withoutEnlargement: true } as const
  if (task.makes === 'rendition') return input.resize({ width: task.width, height: longestWebp, ...inside })
  if (task.makes === 'picture') return input.resize({ ...keptOf(known), ...inside })
  if (task.makes === 'mark') return input.resize({ ...largestMark, ...inside })
  if (task.makes === 'icon') return asIcon(input, task.side)
  const { x, y, width, height } = task.crop
  const cropped = input.extract({ left: x, top: y, width, height }).resize(avatarSide, avatarSide, { fit: 'cover' })
  // It stands on grounds of every colour.
  return ground ? cropped.flatten({ background: behind[ground] }) : cropped
}

// A telephone paints black behind what shines through.
function asIcon(input: Sharp, side: IconSide): Sharp {
  const square = input.resize(side, side, { fit: 'contain', background: '#0000' })
  return side === touchSide ? square.flatten({ background: '#fff' }) : square
}

type Encoded = { data: Buffer; info: OutputInfo; form: Form }

async function encoded(input: () => Sharp, task: Task, known: Known): Promise<Encoded> {
  if (task.makes === 'icon') return bytesOf('png', input().png())
  // Drawn lines and letters show every loss.
  if (task.makes === 'mark') return bytesOf('webp', input().webp({ lossless: true, effort: 4 }))
  if (task.makes === 'rendition' && task.form === 'avif') return bytesOf('avif', asAvif(input()))
  const webp = () => bytesOf('webp', asWebp(input(), task.kind, known.moves))
  if (task.makes !== 'picture' || known.moves) return webp()
  const { width, height } = keptOf(known)
  const other = () => (known.header.hasAlpha ? bytesOf('png', input().png()) : bytesOf('jpeg', asJpeg(input())))
  if (Math.max(width, height) > longestWebp) return other()
  // Noise of many pixels is more than a part of a WebP may hold.
  return webp().catch((error: unknown) => {
    if (!String(error).includes('unable to encode')) throw error
    return other()
  })
}

async function bytesOf(form: Form, output: Sharp): Promise<Encoded> {
  return { ...(await output.timeout({ seconds }).toBuffer({ resolveWithObject: true })), form }
}

function asWebp(input: Sharp, kind: Kind, moves: boolean): Sharp {
  // Screenshots have sharp coloured edges; photographs do not need the bytes.
  const quality = kind === 'png' && !moves ? 90 : 82
  return input.webp({ quality, smartSubsample: !moves, effort: moves ? 2 : 4 })
}

function asJpeg(input: Sharp): Sharp {
  return input.jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
}

// A third smaller than WebP for a second's work; more effort takes four times as long for a tenth.
function asAvif(input: Sharp): Sharp {
  return input.avif({ quality: 58, effort: 3, chromaSubsampling: '4:2:0' })
}

/** What of a picture is not in what was made of it. */
function lossesOf(bytes: Uint8Array, header: Metadata, made: { width: number; height: number; moves: boolean }): Loss[] {
  const { width, height } = sizeOf(header)
  const isSmaller = made.width < width || made.height < height
  const isDeep = header.depth === 'ushort' || (header.bitsPerSample ?? 8) > 8
  return [
    ...(isSmaller ? ['size' as const] : []),
    ...(!made.moves && isMoving(bytes) ? ['motion' as const] : []),
    ...(isDeep ? ['depth' as const] : []),
  ]
}
