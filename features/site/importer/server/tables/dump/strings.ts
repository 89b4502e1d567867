import type { Input } from '#importer/server/tables/dump/input.ts'

/**
 * How a backslash counts in a dump. `standard`: it is a letter, as PostgreSQL has it. `bytes`: it escapes wherever it stands. `wide`: not as the
 * second byte of a character, which GBK and Big5 have. `doubtful`: the charset is such a one, but the program that wrote the dump may have
 * escaped byte by byte, so after a first byte two backslashes are one.
 */
export type Escapes = 'standard' | 'bytes' | 'wide' | 'doubtful'

const quote = 0x27
const backslash = 0x5c

/** The bytes of a string, whose quotation mark is at `start`, and where it ends. Null if its end is not there yet. */
export function scanString(input: Input, start: number, escapes: Escapes): { bytes: Buffer; end: number } | null {
  const { bytes } = input
  const mark = bytes[start] ?? quote
  let at = start + 1
  let isPlain = true
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === mark) {
      if (at + 1 >= bytes.length && !input.isLast) return null
      if (bytes[at + 1] !== mark) break
      isPlain = false
      at++
    } else if (byte === backslash && escapes !== 'standard') {
      isPlain = false
      at++
    } else if (isWide(escapes) && isPair(bytes, at)) {
      at++
      if (escapes === 'doubtful' && bytes[at] === backslash) {
        isPlain = false
        if (at + 1 >= bytes.length && !input.isLast) return null
        if (bytes[at + 1] === backslash) at++
      }
    }
  }
  if (at >= bytes.length) return null
  const content = bytes.subarray(start + 1, at)
  return { bytes: isPlain ? content : unescaped(content, mark, escapes), end: at + 1 }
}

// MySQL's own list; \% and \_ keep their backslash.
const letters: Readonly<Record<number, number>> = { 0x30: 0, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09, 0x62: 0x08, 0x5a: 0x1a }

function unescaped(content: Buffer, mark: number, escapes: Escapes): Buffer {
  const result = Buffer.allocUnsafe(content.length)
  let length = 0
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] ?? 0
    if (byte === mark) {
      result[length++] = byte
      at++
    } else if (byte === backslash && escapes !== 'standard') {
      const escaped = content[++at] ?? backslash
      if (escaped === 0x25 || escaped === 0x5f) result[length++] = backslash
      result[length++] = letters[escaped] ?? escaped
    } else if (isWide(escapes) && isPair(content, at)) {
      result[length++] = byte
      const second = content[++at] ?? 0
      result[length++] = second
      if (escapes === 'doubtful' && second === backslash && content[at + 1] === backslash) at++
    } else result[length++] = byte
  }
  return result.subarray(0, length)
}

function isWide(escapes: Escapes): boolean {
  return escapes === 'wide' || escapes === 'doubtful'
}

/** Whether a character of two bytes begins here: in GBK, and in Big5 and GB 18030, whose ranges lie within or whose pairs have no backslash. */
function isPair(bytes: Buffer, at: number): boolean {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]]
  return first >= 0x81 && first <= 0xfe && second >= 0x40 && second <= 0xfe && second !== 0x7f
}
