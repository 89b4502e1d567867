import sharp from 'sharp'

// Both weights have these; of others it is seen by drawing them.
const ours = /[\u0020-\u007e\u00a0-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]/
const showsNothing = /[\s\u2800\p{Default_Ignorable_Code_Point}]/u
const isOnAnother = /\p{M}/u
// No script has more marks on one letter.
const heap = /(\p{M}{4})\p{M}+/gu
const isDrawn = new Map<string, boolean>()
// Never characters, so that no font has them: in place of a letter that is in no font stands a box with its number, of four digits or of six.
const missing = ['\ufdd0', '\u{10fffe}']

/** A text with an ellipsis in place of the letters that no font has, for a box tells a reader less. It is never empty. */
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

/** The size of a letter, and the pixels around its edge. */
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
