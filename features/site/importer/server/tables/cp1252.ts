/**
 * What MySQL calls latin1: Windows-1252, in which the five bytes without a letter stand for the control characters of their number. Text that
 * was converted by real Latin-1 has all control characters, so they are read too.
 */
const letters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const byteOfLetter = new Map(Array.from(letters, (letter, at) => [letter.charCodeAt(0), 0x80 + at]))

export function decodeCp1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (letter) => letters[letter.charCodeAt(0) - 0x80] ?? letter)
}

/** The bytes of a text, or null if it has a letter that none stands for. */
export function encodeCp1252(text: string): Buffer | null {
  const bytes = Buffer.allocUnsafe(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code <= 0xff ? code : byteOfLetter.get(code)
    if (byte === undefined) return null
    bytes[at] = byte
  }
  return bytes
}
