import { sameCharacter } from '#base/chinese/variants.ts'

/** A normalised text with the original offset of each character; null if all are unchanged. */
export type Folded = { text: string; origins: Uint32Array | null }

const plainText = /^\p{ASCII}*$/u

/** Normalises case, width, accents, vowel points, and traditional to simplified characters with their variants. */
export function fold(text: string): Folded {
  if (plainText.test(text)) return { text: text.toLowerCase(), origins: null }
  const inPlace = foldInPlace(text)
  if (inPlace !== null) return { text: inPlace, origins: null }
  let folded = ''
  let isMoved = false
  for (const character of text) {
    const one = foldOne(character)
    isMoved ||= one.length !== character.length
    folded += one
  }
  return { text: folded, origins: isMoved ? originsIn(text, folded.length) : null }
}

// The folded form of each code unit, where both are single units; 0 is not known yet.
const unitsKnown = new Uint16Array(0x10000)

/** Most texts keep the length of each character, and need no more than a look into a table. Null for others. */
function foldInPlace(text: string): string | null {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const unit = unitsKnown[code] || foldUnit(code)
    if (unit === 0) return null
    units[at] = unit
  }
  return Buffer.from(units.buffer).toString('utf16le')
}

/** 0 for what is not one unit, or becomes more or less than one. */
function foldUnit(code: number): number {
  const character = String.fromCharCode(code)
  const folded = character.isWellFormed() ? foldOne(character) : ''
  if (folded.length !== 1) return 0
  const unit = folded.charCodeAt(0)
  unitsKnown[code] = unit
  return unit
}

function originsIn(text: string, length: number): Uint32Array {
  const origins = new Uint32Array(length + 1)
  let at = 0
  let to = 0
  for (const character of text) {
    const { length: its } = foldOne(character)
    origins.fill(at, to, to + its)
    to += its
    at += character.length
  }
  origins[to] = at
  return origins
}

// Interchangeable letters: variants in Arabic and Persian, the Greek final sigma, and the German sharp s.
const alike = new Map(['ىي', 'ةه', 'یي', 'کك', 'ςσ', 'ßss'].map((pair): [string, string] => [pair.charAt(0), pair.slice(1)]))

// Accents, Hebrew and Arabic points with the tatweel, kana marks, and invisible characters. Vowel signs as in Hindi and Thai are
// kept, since they distinguish words.
const marks = /(?=\p{M})[\u0300-\u036f\u0591-\u074a\u08ca-\u08ff\u3099\u309a]|[\u0640\p{Cf}]/gu
const arabicDigit = /[\u0660-\u0669\u06f0-\u06f9]/g
const known = new Map<string, string>()
const mostKnown = 30_000

function foldOne(character: string): string {
  const before = known.get(character)
  if (before !== undefined) return before
  const plain = character.normalize('NFKD').replaceAll(marks, '').normalize('NFC').toLowerCase()
  const folded = [...plain]
    .map((one) => sameCharacter.get(one) ?? alike.get(one) ?? one)
    .join('')
    .replaceAll(arabicDigit, (digit) => String(digit.charCodeAt(0) % 16))
  if (known.size < mostKnown) known.set(character, folded)
  return folded
}
