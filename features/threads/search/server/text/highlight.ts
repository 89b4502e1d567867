import { charactersIn } from '#base/characters.ts'
import { soundRanges } from '#search/server/text/sound.ts'
import { fold } from '#search/server/text/fold.ts'
import { firstCharactersOf, stemOf } from '#search/server/text/stem.ts'
import { isSign, nameAt, scan, tokensOf, wordAt } from '#search/server/text/tokens.ts'

export type Piece = { text: string; isHit: boolean }

/**
 * The tokens to highlight: exact ones, prefixes, and function words, which are only highlighted next to another match. In titles
 * also matches by pronunciation.
 */
export type SearchTerms = {
  tokens: ReadonlySet<string>
  starts: readonly string[]
  joining: ReadonlySet<string>
  sounds: readonly string[]
  /** The characters that any of them may begin with. */
  firstCharacters: ReadonlySet<number>
}

export function searchTerms(terms: Omit<SearchTerms, 'firstCharacters'>): SearchTerms {
  const all = [...terms.tokens, ...terms.starts, ...terms.joining]
  return { ...terms, firstCharacters: new Set(all.flatMap(firstCharactersOf)) }
}

type Range = { start: number; end: number; token: string; isSure: boolean }

/** The pieces of a title with matches marked. */
export function markedTitle(title: string, terms: SearchTerms): Piece[] {
  const written = rangesIn(title, terms)
  const words = new Set(terms.sounds.length > 0 ? tokensOf(title).map(({ word }) => word) : [])
  const heard = terms.sounds.filter((sound) => !words.has(sound)).flatMap((sound) => soundRanges(title, sound))
  const ranges = [...written, ...heard].toSorted((one, other) => one.start - other.start)
  return piecesOf(title, 0, title.length, ranges)
}

const longestRead = 20_000
const before = 40

/** The passage with the most matches, on one line and with matches marked. */
export function excerptOf(text: string, terms: SearchTerms, length: number): Piece[] {
  const line = text.slice(0, longestRead).replaceAll(/\s+/g, ' ')
  const ranges = rangesIn(line, terms)
  const from = line.length <= length ? 0 : startAt(line, bestStart(ranges, length))
  const to = line.length - from <= length ? line.length : endAt(line, from + length)
  const pieces = piecesOf(line, from, to, ranges)
  const isCut = { before: from > 0, after: to < line.length || text.length > longestRead }
  return [...(isCut.before ? [{ text: '…', isHit: false }] : []), ...pieces, ...(isCut.after ? [{ text: '…', isHit: false }] : [])]
}

// Only words that begin as one of the terms does are cut out and stemmed.
function rangesIn(text: string, terms: SearchTerms): Range[] {
  const { text: folded, origins } = fold(text)
  const origin = (at: number) => (origins ? (origins[at] ?? 0) : at)
  const ranges: Range[] = []
  scan(folded, (at, tokenEnd, isWord) => {
    if (!terms.firstCharacters.has(folded.codePointAt(at) ?? 0)) return true
    const name = isWord ? nameAt(folded, at, tokenEnd) : null
    if (name && terms.tokens.has(stemOf(name.word)))
      ranges.push({ start: origin(at), end: origin(name.end), token: name.word, isSure: true })
    const token = isWord ? stemOf(wordAt(folded, at, tokenEnd)) : folded.slice(at, tokenEnd)
    const isSure = terms.tokens.has(token)
    const isStart = !isSure && !isWord && terms.starts.some((start) => token.startsWith(start))
    if (!isSure && !isStart && !terms.joining.has(token)) return true
    const start = origin(at)
    const end = isStart ? start + firstLength(token) : origin(tokenEnd)
    const last = ranges.at(-1)
    if (last && (start < last.end || (!isWord && start === last.end))) {
      last.end = Math.max(last.end, end)
      last.isSure ||= isSure || isStart
    } else ranges.push({ start, end, token, isSure: isSure || isStart })
    return true
  })
  const sure = ranges.filter((range) => range.isSure)
  const signs = [...terms.tokens].filter(isSign).flatMap((sign) => rangesOfSign(text, sign))
  return signs.length > 0 ? [...sure, ...signs].toSorted((one, other) => one.start - other.start) : sure
}

// With its tone of skin, and the selector that makes it a picture.
function rangesOfSign(text: string, sign: string): Range[] {
  const all = text.matchAll(new RegExp(`${sign}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]*`, 'gu'))
  return Array.from(all, ({ 0: whole, index }) => ({ start: index, end: index + whole.length, token: sign, isSure: true }))
}

function firstLength(token: string): number {
  return [...token][0]?.length ?? 1
}

// Distinct words count more than repetitions.
function bestStart(ranges: readonly Range[], length: number): number {
  let best = { start: ranges[0]?.start ?? 0, different: 0, count: 0 }
  for (const [index, { start }] of ranges.entries()) {
    const inside = ranges.slice(index, index + 12).filter(({ end }) => end <= start + length - before)
    const different = new Set(inside.map(({ token }) => token)).size
    if (different > best.different || (different === best.different && inside.length > best.count))
      best = { start, different, count: inside.length }
  }
  return Math.max(0, best.start - before)
}

// Cuts between words where they are spaced, and never within a character.
function startAt(text: string, position: number): number {
  if (position === 0) return 0
  const space = text.slice(position, position + 16).indexOf(' ')
  return space >= 0 ? position + space + 1 : whole(text, position)
}

function endAt(text: string, position: number): number {
  const space = text.slice(position - 16, position).lastIndexOf(' ')
  return space > 0 ? position - 16 + space : whole(text, position)
}

const around = 64

function whole(text: string, at: number): number {
  const from = Math.max(0, at - around)
  let end = from
  for (const character of charactersIn(text.slice(from, at + around))) {
    if (end >= at) break
    end += character.length
  }
  return Math.max(at, end)
}

function piecesOf(text: string, from: number, to: number, ranges: readonly Pick<Range, 'start' | 'end'>[]): Piece[] {
  const pieces: Piece[] = []
  let at = from
  const put = (until: number, isHit: boolean) => {
    if (until > at) pieces.push({ text: text.slice(at, until), isHit })
    at = Math.max(at, until)
  }
  for (const { start, end } of ranges) {
    if (end <= from || start >= to) continue
    put(Math.max(start, from), false)
    put(Math.min(end, to), true)
  }
  put(to, false)
  return pieces
}
