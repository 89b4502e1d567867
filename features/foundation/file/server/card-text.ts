import sharp from 'sharp'
import { charactersIn } from '#base/characters.ts'
import { directionOf } from '#base/direction.ts'
import { drawable, escaped } from '#file/server/card-letters.ts'

export type Style = { size: number; colour: string; isBold?: boolean; /** The most lines. */ lines: number }

/** A rendered text, cropped to its ink. */
export type Drawn = { input: Buffer; width: number; height: number; isFromRight: boolean }

/** The line height, for any script. */
export const leading = 1.45

/** Renders a text in lines of this width. A text that is too long is cut between characters and ends in an ellipsis. */
export async function drawText(text: string, width: number, style: Style): Promise<Drawn> {
  const whole = await drawable(text)
  const drawn = await paint(whole, width, style)
  if (linesOf(drawn, style) <= style.lines) return drawn
  const characters = [...charactersIn(whole)]
  let [least, most, best] = [0, characters.length - 1, drawn]
  while (least < most) {
    const half = Math.ceil((least + most) / 2)
    const tried = await paint(`${characters.slice(0, half).join('').trimEnd()}…`, width, style)
    if (linesOf(tried, style) > style.lines) most = half - 1
    else [least, best] = [half, tried]
  }
  return best
}

function linesOf({ height }: Drawn, { size }: Style): number {
  return Math.floor(height / (size * leading)) + 1
}

async function paint(text: string, width: number, { size, colour, isBold = false }: Style): Promise<Drawn> {
  const markup = `<span foreground="${colour}" line_height="${Math.round(size * leading * 1024)}">${markedUp(text)}</span>`
  const font = `Teahouse Share ${isBold ? 'Bold ' : ''}${size}`
  const { data, info } = await sharp({ text: { text: markup, font, width, rgba: true, dpi: 72, wrap: 'word-char' } })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height, isFromRight: directionOf(text) === 'rtl' }
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

// In a Chinese font these are full-width.
function markedUp(text: string): string {
  const signs = eastAsian.test(text) ? /(?<=\p{Script=Latin})[‘’](?=\p{Script=Latin})/gu : /[‘’“”…·—]+/g
  return escaped(text).replaceAll(signs, '<span font_family="Noto Sans">$&</span>')
}
