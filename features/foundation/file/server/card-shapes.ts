import sharp from 'sharp'
import { encode } from 'uqr'

export async function round(bytes: Uint8Array, side: number): Promise<Buffer> {
  return sharp(bytes)
    .resize(side, side, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: disc(side), raw: { width: side, height: side, channels: 4 }, blend: 'dest-in' }])
    .png()
    .toBuffer()
}

export function circle(side: number, colour: string): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 4, background: colour } })
    .composite([{ input: disc(side), raw: { width: side, height: side, channels: 4 }, blend: 'dest-in' }])
    .png()
    .toBuffer()
}

function disc(side: number): Buffer {
  const pixels = Buffer.alloc(side * side * 4)
  const middle = (side - 1) / 2
  for (let at = 0; at < side * side; at++) {
    const inside = side / 2 - Math.hypot((at % side) - middle, Math.floor(at / side) - middle)
    pixels[at * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, inside)))
  }
  return pixels
}

/** A QR code on white, with modules of whole pixels. */
export async function qrCode(text: string, most: number): Promise<{ input: Buffer; side: number }> {
  const { data, size } = encode(text, { border: 2 })
  const side = Math.floor(most / size) * size
  const input = await sharp(Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255))), {
    raw: { width: size, height: size, channels: 1 },
  })
    .resize(side, side, { kernel: 'nearest' })
    .png()
    .toBuffer()
  return { input, side }
}
