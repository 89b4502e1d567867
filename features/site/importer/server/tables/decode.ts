import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { decodeCp1252, encodeCp1252 } from '#importer/server/tables/cp1252.ts'

/**
 * How texts really are. `utf8`, `gbk` and `latin1` are bytes of these, whatever their column is declared as. `utf8 in latin1` and `gbk in latin1`
 * were taken for Latin-1 and converted to UTF-8, as a dump of a latin1 table is.
 */
export type Encoding = 'utf8' | 'gbk' | 'big5' | 'gb18030' | 'latin1' | 'utf8 in latin1' | 'gbk in latin1'
export type Decoder = {
  /** The encoding of most. */
  name: Encoding
  decode(bytes: Buffer): string
  /** How many characters could not be read until now, and are U+FFFD. */
  replaced(): number
}

/**
 * Finds how the texts of a column are encoded from some of them, some hundred at best. A text that cannot be of the same encoding is read by
 * another. `declared` is the charset of the column by its MySQL name, which counts where the sample tells nothing.
 */
export function decoderFor(sample: readonly Buffer[], declared: string | null): Decoder {
  const wide = wideOf(declared)
  const votes = new Map<Encoding, number>()
  for (const bytes of sample) {
    const vote = encodingOf(bytes, wide)
    if (vote) votes.set(vote, (votes.get(vote) ?? 0) + 1)
  }
  const [[name] = [encodingDeclared(declared, wide)]] = [...votes].toSorted(([, one], [, other]) => other - one)
  const order = orderOf(name, votes, wide)
  let replaced = 0
  function decode(bytes: Buffer): string {
    if (isAscii(bytes)) return bytes.toString('latin1')
    for (const encoding of order) {
      const text = readings[encoding](bytes)
      if (text !== null) return text
      // Another encoding would take it, with every letter wrong.
      if (encoding === name && isCutDoubled(bytes, name)) break
    }
    const text = lossyText(bytes, name, wide)
    replaced += count(text, replacement)
    return text
  }
  return { name, decode, replaced: () => replaced }
}

type Wide = 'gbk' | 'big5' | 'gb18030'

function wideOf(declared: string | null): Wide {
  return declared === 'big5' || declared === 'gb18030' ? declared : 'gbk'
}

function encodingDeclared(declared: string | null, wide: Wide): Encoding {
  if (declared !== null && /^(gbk|gb2312|gb18030|big5|euc_cn)$/.test(declared)) return wide
  return declared === 'latin1' ? 'latin1' : 'utf8'
}

/** The encodings that a text is tried in. One that takes few texts by chance comes before one that takes many, if the sample has it. */
function orderOf(name: Encoding, votes: ReadonlyMap<Encoding, number>, wide: Wide): Encoding[] {
  const total = [...votes.values()].reduce((sum, one) => sum + one, 0)
  const strictFirst: Encoding[] = ['utf8 in latin1', 'gbk in latin1', 'utf8', wide, 'latin1']
  const isFrequent = (encoding: Encoding) => (votes.get(encoding) ?? 0) * minShare >= total
  const found = strictFirst.filter((encoding) => encoding === name || (total > 0 && isFrequent(encoding)))
  // Hardly any text in Latin-1 is UTF-8 by chance.
  const others: Encoding[] = name === 'latin1' ? ['utf8', ...found] : [...found, 'utf8']
  return [...new Set<Encoding>(others)]
}

/** An encoding counts if one text in so many has it. */
const minShare = 20

/** The encoding that a text most likely has, or null if it tells nothing. */
function encodingOf(bytes: Buffer, wide: Wide): Encoding | null {
  if (isAscii(bytes)) return null
  if (!isUtf8(bytes)) return isCutUtf8(bytes) ? 'utf8' : looksChinese(bytes) ? wide : hasFewPairs(bytes) ? null : 'latin1'
  const narrow = narrowed(bytes)
  if (narrow && isUtf8(narrow)) return 'utf8 in latin1'
  if (narrow && looksChinese(narrow)) return 'gbk in latin1'
  // GBK may be UTF-8 of two bytes a letter by chance.
  return looksChinese(bytes) && !bytes.some((byte) => byte >= 0xe0) ? null : 'utf8'
}

/** Each reads a text, or gives null if it is none of its own. */
const readings: Readonly<Record<Encoding, (bytes: Buffer) => string | null>> = {
  utf8: (bytes) => (isUtf8(bytes) ? bytes.toString() : null),
  gbk: (bytes) => wideText(bytes, 'gbk'),
  big5: (bytes) => wideText(bytes, 'big5'),
  gb18030: (bytes) => wideText(bytes, 'gb18030'),
  latin1: decodeCp1252,
  'utf8 in latin1'(bytes) {
    const narrow = narrowed(bytes)
    return narrow && isUtf8(narrow) ? narrow.toString() : null
  },
  'gbk in latin1'(bytes) {
    const narrow = narrowed(bytes)
    return narrow && wideText(narrow, 'gbk')
  },
}

/** The bytes before they were taken for Latin-1, or null if they never were. */
function narrowed(bytes: Buffer): Buffer | null {
  return isUtf8(bytes) ? encodeCp1252(bytes.toString()) : null
}

function isCutDoubled(bytes: Buffer, name: Encoding): boolean {
  if (name !== 'utf8 in latin1' && name !== 'gbk in latin1') return false
  const narrow = narrowed(bytes)
  return narrow !== null && (name === 'gbk in latin1' ? looksChinese(narrow) : isCutUtf8(narrow))
}

function wideText(bytes: Buffer, wide: Wide): string | null {
  const text = iconv.decode(bytes, wide)
  return text.includes(replacement) ? null : text
}

const replacement = '\uFFFD'

/** A text that is whole in no likely encoding, such as one whose last character was cut. */
function lossyText(bytes: Buffer, name: Encoding, wide: Wide): string {
  const inner = (isCutDoubled(bytes, name) ? narrowed(bytes) : null) ?? bytes
  if (isCutUtf8(inner)) return inner.toString()
  if (looksChinese(inner)) return iconv.decode(inner, wide)
  const text = name === wide ? iconv.decode(inner, wide) : inner.toString()
  const letters = Array.from(text).filter((letter) => letter > '\x7f').length
  return count(text, replacement) * maxLossShare <= letters ? text : decodeCp1252(bytes)
}

/** A text with more replacements than one in so many letters is Latin-1 rather. */
const maxLossShare = 4

function count(text: string, letter: string): number {
  return text.split(letter).length - 1
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80)
}

const longestCut = 3

/** UTF-8 whose last character lacks its end. */
function isCutUtf8(bytes: Buffer): boolean {
  for (let cut = 1; cut <= longestCut && cut < bytes.length; cut++) {
    const byte = bytes[bytes.length - cut] ?? 0
    if (byte < 0x80) return false
    const rest = bytes.subarray(0, -cut)
    if (byte >= 0xc2) return cut < lengthOfUtf8(byte) && isUtf8(rest) && !isAscii(rest)
  }
  return false
}

function lengthOfUtf8(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
}

/**
 * Whether the bytes are Chinese in GBK or Big5 rather than letters with accents: characters of two bytes that are mostly common ones, or mostly
 * stand together. Two of them at least, for `öß` is one too.
 */
function looksChinese(bytes: Buffer): boolean {
  const { pairs, common, together, broken } = pairsIn(bytes)
  return broken === 0 && pairs >= 2 && (common * 3 >= pairs * 2 || together * 2 >= pairs)
}

function hasFewPairs(bytes: Buffer): boolean {
  const { pairs, common, broken } = pairsIn(bytes)
  return broken === 0 && pairs === 1 && common === 1
}

function pairsIn(bytes: Buffer) {
  let [pairs, common, together, broken] = [0, 0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const [first = 0, second] = [bytes[at], bytes[at + 1]]
    if (first < 0x80 || second === undefined) continue
    if (isFour(bytes, at)) {
      pairs++
      at += 3
    } else if (first < 0x81 || second < 0x40 || second === 0x7f || second === 0xff) {
      broken++
      continue
    } else {
      pairs++
      at++
      // GB 2312, which has the characters of everyday.
      if (first >= 0xa1 && first <= 0xf7 && second >= 0xa1) common++
    }
    if ((bytes[at + 1] ?? 0) >= 0x81) together++
  }
  return { pairs, common, together, broken }
}

/** A character of four bytes, as GB 18030 has. */
function isFour(bytes: Buffer, at: number): boolean {
  const [second = 0, third = 0, fourth = 0] = bytes.subarray(at + 1, at + 4)
  return isDigit(second) && third >= 0x81 && isDigit(fourth)
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
