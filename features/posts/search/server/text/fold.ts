import pairs from 'opencc-js/dict/TSCharacters'

/** A normalised text with the original offset of each character; null if all are unchanged. */
export type Folded = { text: string; origins: Uint32Array | null }

const plainText = /^\p{ASCII}*$/u

/** Normalises case, width, accents, vowel points, and traditional to simplified characters. */
export function fold(text: string): Folded {
  if (plainText.test(text)) return { text: text.toLowerCase(), origins: null }
  let folded = ''
  let isMoved = false
  for (const character of text) {
    const one = foldOne(character)
    isMoved ||= one.length !== character.length
    folded += one
  }
  return { text: folded, origins: isMoved ? originsIn(text, folded.length) : null }
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

const simplified = new Map(
  pairs.split('|').flatMap((pair): [string, string][] => {
    const [from = '', to = ''] = pair.split(' ')
    return from && to ? [[from, to]] : []
  }),
)

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
    .map((one) => simplified.get(one) ?? alike.get(one) ?? one)
    .join('')
    .replaceAll(arabicDigit, (digit) => String(digit.charCodeAt(0) % 16))
  if (known.size < mostKnown) known.set(character, folded)
  return folded
}
