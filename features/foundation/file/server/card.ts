import sharp, { type OverlayOptions } from 'sharp'
import { circle, qrCode, round } from '#file/server/card-shapes.ts'
import { drawText, leading, type Drawn, type Style } from '#file/server/card-text.ts'
import type { Picture } from '#file/server/picture.ts'

/** The texts of a card, and the pictures of author and site where they have one. */
export type Card = {
  title: string
  excerpt: string
  author: { name: string; letters: string; face: Uint8Array | null }
  /** Its tag, and the AI label. */
  about: string
  site: { name: string; mark: Uint8Array | null }
  /** The link from a picture to the page; null for a link preview, which is a link itself. */
  way: { address: string; invitation: string; host: string } | null
}

type Layer = OverlayOptions & { input: Buffer }
type Box = { left: number; top: number; width: number; /** A text is centred within it. */ height?: number }

export const wide = { width: 1200, height: 630 }
export const tall = { width: 1080, least: 1080 }

const [paper, ink, ink2, ink3, line, tea, wash] = ['#fbfaf7', '#1d2125', '#4b535c', '#6b7480', '#e8e5de', '#2f6f4f', '#edf4ef'] as const

/** Renders a card as PNG: a tall one with a QR code, for sharing as a picture; or a link preview for other sites. */
export async function drawCard(card: Card): Promise<Picture> {
  const { width, height, layers } = await (card.way ? layOutTall(card, card.way) : layOutWide(card))
  const bytes = await sharp({ create: { width, height, channels: 3, background: paper } })
    .composite(layers)
    .removeAlpha()
    .png()
    .toBuffer()
  return { bytes, form: 'png', width, height, moves: false, ground: null, lost: [] }
}

async function layOutWide({ title, excerpt, author, about, site }: Card) {
  const [margin, bar, foot, markSide] = [80, 16, 462, 96]
  const breadth = wide.width - 2 * margin
  const heading = await drawText(title, breadth, titleStyle(title, [76, 64, 52, 44]))
  const below = 80 + heading.height + 36
  const lines = Math.min(3, Math.floor((foot - 28 - below) / (32 * leading)))
  const beside = { left: margin + 108, width: breadth - 108 - (site.mark ? markSide + bar : 0) }
  return {
    ...wide,
    layers: [
      await plane(tea, { left: 0, top: 0, width: bar, height: wide.height }),
      place(heading, { left: margin, top: 80, width: breadth }),
      ...(excerpt && lines > 0
        ? [place(await drawText(excerpt, breadth, { size: 32, colour: ink2, lines }), { left: margin, top: below, width: breadth })]
        : []),
      ...(await face(author, { left: margin, top: foot, side: 88 })),
      await label(`${author.name} · ${about}`, { ...beside, top: foot, height: 44 }, { size: 32, colour: ink2 }),
      await label(site.name, { ...beside, top: foot + 48, height: 44 }, { size: 32, colour: tea, isBold: true }),
      ...(await mark(site.mark, { left: wide.width - margin - markSide, top: wide.height - margin - markSide, side: markSide })),
    ],
  }
}

async function layOutTall({ title, excerpt, author, about, site }: Card, way: NonNullable<Card['way']>) {
  const [margin, band, markSide, faceSide, codeSide] = [72, 12, 56, 80, 224]
  const breadth = tall.width - 2 * margin
  const heading = await drawText(title, breadth, titleStyle(title, [68, 60, 52, 46]))
  const authorAt = 196 + heading.height + 48
  const excerptAt = authorAt + faceSide + 48
  const words = excerpt ? await drawText(excerpt, breadth, { size: 36, colour: ink2, lines: 8 }) : null
  const foot = Math.max(tall.least - codeSide - 56, excerptAt + (words ? words.height + 88 : 40))
  const { input, side } = await qrCode(way.address, codeSide)
  const besideMark = site.mark ? margin + markSide + 20 : margin
  const besideFace = { left: margin + faceSide + 24, width: breadth - faceSide - 24 }
  const besideCode = { left: margin, width: breadth - side - 40 }
  return {
    width: tall.width,
    height: foot + codeSide + 56,
    layers: [
      await plane(tea, { left: 0, top: 0, width: tall.width, height: band }),
      ...(await mark(site.mark, { left: margin, top: 80, side: markSide })),
      await label(site.name, { left: besideMark, top: 80, width: tall.width - margin - besideMark, height: markSide }, siteStyle),
      place(heading, { left: margin, top: 196, width: breadth }),
      ...(await face(author, { left: margin, top: authorAt, side: faceSide })),
      await label(author.name, { ...besideFace, top: authorAt, height: 42 }, { size: 34, colour: ink }),
      await label(about, { ...besideFace, top: authorAt + 44, height: 36 }, { size: 26, colour: ink3 }),
      ...(words ? [place(words, { left: margin, top: excerptAt, width: breadth })] : []),
      await plane(line, { left: margin, top: foot - 40, width: breadth, height: 2 }),
      { input, left: tall.width - margin - side, top: foot },
      await label(way.invitation, { ...besideCode, top: foot + 50, height: 60 }, { size: 36, colour: ink, isBold: true }),
      await label(way.host, { ...besideCode, top: foot + 118, height: 50 }, { size: 30, colour: ink3 }),
    ],
  }
}

const siteStyle = { size: 36, colour: tea, isBold: true }

/** The font size decreases with the title's length, in full-width characters. */
function titleStyle(title: string, [large, middle, small, least]: [number, number, number, number]): Style {
  const width = [...title].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 1 : 0.55), 0)
  const size = width <= 24 ? large : width <= 40 ? middle : width <= 60 ? small : least
  return { size, colour: ink, isBold: true, lines: size === least ? 5 : 4 }
}

async function label(text: string, box: Box, style: Omit<Style, 'lines'>): Promise<Layer> {
  return place(await drawText(text, box.width, { ...style, lines: 1 }), { ...box, width: 0 })
}

function place({ input, width, height, isFromRight }: Drawn, box: Box): Layer {
  return {
    input,
    left: isFromRight && box.width > 0 ? box.left + box.width - width : box.left,
    top: box.height ? Math.max(0, box.top + Math.round((box.height - height) / 2)) : box.top,
  }
}

async function plane(background: string, { left, top, width, height }: Required<Box>): Promise<Layer> {
  return {
    input: await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer(),
    left,
    top,
  }
}

async function mark(bytes: Uint8Array | null, { left, top, side }: { left: number; top: number; side: number }): Promise<Layer[]> {
  if (!bytes) return []
  return [{ input: await sharp(bytes).resize(side, side, { fit: 'contain', background: '#0000' }).png().toBuffer(), left, top }]
}

/** The picture of an author, or their initials. */
async function face(
  { face: bytes, letters }: Card['author'],
  { left, top, side }: { left: number; top: number; side: number },
): Promise<Layer[]> {
  if (bytes) return [{ input: await round(bytes, side), left, top }]
  const drawn = await drawText(letters, side, { size: Math.round(side / 2), colour: tea, isBold: true, lines: 1 })
  const middle = { left: left + Math.round((side - drawn.width) / 2), top: top + Math.round((side - drawn.height) / 2) }
  return [
    { input: await circle(side, wash), left, top },
    { input: drawn.input, ...middle },
  ]
}
