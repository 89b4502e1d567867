/** Character classes: parts of words, digits, scripts without spaces, characters allowed within words, others. */
export const charClass = { nothing: 0, letter: 1, digit: 2, unspaced: 3, within: 4 } as const

// Korean has spaces, but particles at the end of nearly every word.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u
const digit = /\p{N}/u
const letter = /\p{L}/u
const within = /[\p{M}'’]/u

const unknown = 255
const cache = new Uint8Array(0x10000).fill(unknown)

export function classOf(code: number): number {
  if (code > 0xffff) return classify(code)
  const before = cache[code] ?? unknown
  if (before !== unknown) return before
  const found = classify(code)
  cache[code] = found
  return found
}

function classify(code: number): number {
  const character = String.fromCodePoint(code)
  if (unspaced.test(character)) return charClass.unspaced
  if (digit.test(character)) return charClass.digit
  if (letter.test(character)) return charClass.letter
  return within.test(character) ? charClass.within : charClass.nothing
}
