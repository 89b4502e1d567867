import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { lazily } from '#base/lazily.ts'
import type { Picture } from '#file/server/picture.ts'

/** What a picture for a shared link says, and the icon of the site where it has one. */
export type Card = { title: string; under: string; site: string; mark?: Uint8Array | null }

export const cardSize = { width: 1200, height: 630 }

const fontfile = fontCalled('share.otf')
const otherFonts = ['letters.ttf', 'arabic.ttf', 'hebrew.ttf', 'thai.ttf', 'hangul.otf'].map(fontCalled)
const paper = '#fbfaf6'
const ink = '#1d2420'
const tea = '#2f6f4f'
const margin = 80
const breadth = cardSize.width - 2 * margin
const bar = 16
const markSide = 96
// From this width on a title, in characters of full width, is set smaller.
const sizes = [
  { upTo: 30, size: 76 },
  { upTo: 48, size: 64 },
  { upTo: 72, size: 52 },
  { upTo: Infinity, size: 44 },
] as const

/** Draws a title with who wrote it and where, for other sites to show beside a link to it. A PNG. */
export async function drawCard({ title, under, site, mark }: Card): Promise<Picture> {
  const { size } = sizes.find(({ upTo }) => widthOf(title) <= upTo) ?? sizes[3]
  await otherFontsKnown()
  const below = mark ? breadth - markSide - bar : breadth
  const [titleText, underText, siteText] = await Promise.all([
    line(title, size, ink),
    line(under, 34, tea, below),
    line(site, 34, tea, below),
  ])
  const side = { create: { width: bar, height: cardSize.height, channels: 3 as const, background: tea } }
  const bytes = await sharp({ create: { ...cardSize, channels: 3, background: paper } })
    .composite([
      { input: side, left: 0, top: 0 },
      { input: titleText, left: margin, top: 84 },
      { input: underText, left: margin, top: 468 },
      { input: siteText, left: margin, top: 536 },
      ...(mark ? [{ input: await square(mark), left: cardSize.width - margin - markSide, top: cardSize.height - margin - markSide }] : []),
    ])
    .png({ palette: true, colours: mark ? 160 : 48 })
    .toBuffer()
  return { bytes, form: 'png', ...cardSize, moves: false, ground: null, lost: [] }
}

// A font by which something was drawn is known to all that is drawn later, for letters that its own font lacks.
const otherFontsKnown = lazily(() =>
  Promise.all(
    otherFonts.map((file) =>
      sharp({ text: { text: '.', font: 'sans', fontfile: file } })
        .png()
        .toBuffer(),
    ),
  ),
)

function fontCalled(name: string): string {
  return fileURLToPath(new URL(`./card-font/${name}`, import.meta.url))
}

function square(mark: Uint8Array): Promise<Buffer> {
  return sharp(mark).resize(markSide, markSide, { fit: 'contain', background: '#0000' }).png().toBuffer()
}

function line(text: string, size: number, colour: string, width = breadth): Promise<Buffer> {
  const font = `Teahouse Share Bold ${size}`
  const markup = `<span foreground="${colour}">${drawable(text)}</span>`
  return sharp({ text: { text: markup, font, fontfile, width, rgba: true, dpi: 72, wrap: 'word-char', spacing: 8 } })
    .png()
    .toBuffer()
}

// The fonts have no emoji, and an empty text cannot be drawn.
function drawable(text: string): string {
  const plain = text
    .replaceAll(/\p{Extended_Pictographic}|\p{Cc}|\p{Cs}|\u200d|\ufe0f/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .trim()
  return plain || '…'
}

function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (/[\u2e80-\uffef]/.test(character) ? 1 : 0.55), 0)
}
