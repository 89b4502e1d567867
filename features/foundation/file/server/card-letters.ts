import sharp from 'sharp'

// Both weights contain these; others are tested by rendering them.
const ours = /[\u0020-\u007e\u00a0-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]/
const showsNothing = /[\s\u2800\p{Default_Ignorable_Code_Point}]/u
const isOnAnother = /\p{M}/u
// No script has more marks on one letter.
const heap = /(\p{M}{4})\p{M}+/gu
const isDrawn = new Map<string, boolean>()
// Noncharacters, which no font contains: a missing glyph is a box with its code of four or six digits.
const missing = ['\ufdd0', '\u{10fffe}']

/** The text with an ellipsis in place of letters that no font contains. Never empty. */
export async function drawable(text: string): Promise<string> {
  const plain = text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll(heap, '$1')
  const boxes = await Promise.all(missing.map(frameOf))
  const letters: string[] = []
  for (const letter of plain) {
    const isKept = ours.test(letter) || showsNothing.test(letter) || isOnAnother.test(letter) || (await canDraw(letter, boxes))
    if (isKept || letters.at(-1) !== '…') letters.push(isKept ? letter : '…')
  }
  const drawn = letters.join('').replaceAll(/\s+/g, ' ').trim()
  return [...drawn].every((letter) => showsNothing.test(letter)) ? '…' : drawn
}

async function canDraw(letter: string, boxes: readonly string[]): Promise<boolean> {
  const known = isDrawn.get(letter)
  if (known !== undefined) return known
  const can = !boxes.includes(await frameOf(letter))
  isDrawn.set(letter, can)
  return can
}

/** The size of a rendered letter, and the pixels of its frame. */
async function frameOf(letter: string): Promise<string> {
  const { data, info } = await sharp({ text: { text: escaped(letter), font: 'Teahouse Share 40', dpi: 72 } })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const edge = [...data].filter((_, at) => at % width === 0 || at % width === width - 1 || at < width || at >= width * (height - 1))
  return `${width} ${height} ${edge.join(' ')}`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
