import type { Sharp } from 'sharp'
import type { BackdropTone } from '#file/limits.ts'

// The lightness of both themes' pages, and of a grey with the same contrast to black and white, from 0 to 1.
const pages = { light: 0.98, dark: 0.09 }
const grey = 0.5
const side = 400
const apart = 2
const step = 0.15
/** The fraction of visible edges at which a theme is acceptable for a picture. */
const enough = 0.6
const clear = 250

/**
 * The background that a picture needs, by the number of its edges that are visible on the page of each theme and on grey. Null if
 * both themes are acceptable, or if the picture is opaque.
 */
export async function backdropOf(picture: Sharp): Promise<BackdropTone | null> {
  const { data, info } = await picture
    .clone()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, channels } = info
  const seen = pixelsOf(data, channels)
  if (seen.every(({ alpha }) => alpha * 255 >= clear)) return null
  const edges = (ground: number) => edgesOn(seen, width, ground)
  const [light, dark] = [edges(pages.light), edges(pages.dark)]
  const best = Math.max(light, dark, edges(grey))
  const [isFineOnLight, isFineOnDark] = [light >= best * enough, dark >= best * enough]
  if (isFineOnLight && isFineOnDark) return null
  return isFineOnLight ? 'light' : isFineOnDark ? 'dark' : 'mid'
}

type Pixel = { lightness: number; alpha: number }

function pixelsOf(data: Buffer, channels: number): Pixel[] {
  const pixels: Pixel[] = []
  for (let at = 0; at + 3 < data.length; at += channels) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    pixels.push({ lightness: (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255, alpha: alpha / 255 })
  }
  return pixels
}

/** The number of pixels that differ from those two away: scaling blurs an edge over two. */
function edgesOn(pixels: readonly Pixel[], width: number, ground: number): number {
  const blended = pixels.map(({ lightness, alpha }) => lightness * alpha + ground * (1 - alpha))
  let edges = 0
  for (const [at, one] of blended.entries()) {
    const [right, below] = [(at % width) + apart < width ? (blended[at + apart] ?? one) : one, blended[at + apart * width] ?? one]
    if (Math.abs(one - right) > step || Math.abs(one - below) > step) edges++
  }
  return edges
}
