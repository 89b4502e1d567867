import pairs from 'opencc-js/dict/TSCharacters'

/** A text as search reads it, and where each of its characters stood; null where each stands where it stood. */
export type Folded = { text: string; origins: Uint32Array | null }

const plainText = /^\p{ASCII}*$/u

/** Case, width, accents, and traditional or simplified characters do not tell words apart. */
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

// Accents, the marks of kana, and what cannot be seen.
const marks = /[\u0300-\u036f\u3099\u309a\p{Cf}]/gu
const known = new Map<string, string>()
const mostKnown = 30_000

function foldOne(character: string): string {
  const before = known.get(character)
  if (before !== undefined) return before
  const plain = character.normalize('NFKD').replaceAll(marks, '').normalize('NFC').toLowerCase()
  const folded = [...plain].map((one) => simplified.get(one) ?? one).join('')
  if (known.size < mostKnown) known.set(character, folded)
  return folded
}
