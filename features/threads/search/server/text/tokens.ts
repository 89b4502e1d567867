import { fold } from '#search/server/text/fold.ts'
import { charClass, classOf } from '#search/server/text/letters.ts'
import { stemOf } from '#search/server/text/stem.ts'

/**
 * An index term. Where words are spaced, the stem of each; otherwise every bigram, and the last character alone. Each has one
 * position, so that a phrase is a sequence of tokens.
 */
export type Token = {
  text: string
  position: number
  /** Offsets in the original text. */
  start: number
  end: number
  /** The word before stemming; null where words are not spaced. */
  word: string | null
}

const apostrophes = /['’]/g
const longestToken = 64
const plus = 0x2b
const sharp = 0x23

export function tokensOf(text: string, most = Infinity): Token[] {
  const { text: folded, origins } = fold(text)
  const tokens: Token[] = []
  const origin = (at: number) => (origins ? (origins[at] ?? 0) : at)
  scan(folded, (at, end, isWord) => {
    const word = isWord ? wordAt(folded, at, end) : null
    const token = word === null ? folded.slice(at, end) : stemOf(word)
    tokens.push({ text: token, position: tokens.length, start: origin(at), end: origin(end), word })
    return tokens.length < most
  })
  return tokens
}

const maxExtras = 500

/**
 * What tokens leave out, each once and without a position: names whose parts are joined by signs, as one word, and signs such as emoji. So
 * node.js is found by nodejs, too.
 */
export function extraTokensOf(text: string): Token[] {
  const { text: folded } = fold(text)
  const words = new Set<string>()
  scan(folded, (at, end, isWord) => {
    const name = isWord ? nameAt(folded, at, end) : null
    if (name) words.add(name.word)
    return words.size < maxExtras
  })
  const ofWords = [...words].map((word) => ({ text: stemOf(word), word }))
  const ofSigns = signsIn(folded).map((sign) => ({ text: sign, word: null }))
  return [...ofWords, ...ofSigns].slice(0, maxExtras).map((one) => ({ ...one, position: -1, start: 0, end: 0 }))
}

/** The signs of a folded text that a search may name, each once. */
export function signsIn(folded: string): string[] {
  return plainText.test(folded) ? [] : [...new Set(Array.from(folded.matchAll(signs), ([sign]) => sign))].filter(isSign)
}

/** Whether a token is a sign. */
export function isSign(token: string): boolean {
  const code = token.codePointAt(0) ?? 0
  return code > 0x7f && classOf(code) === charClass.nothing
}

const plainText = /^\p{ASCII}*$/u
// A flag is two letters of its own kind.
const signs = /\p{Regional_Indicator}{2}|[\p{Extended_Pictographic}\p{Sc}\p{Sm}\p{So}]/gu
const joiners = new Set(Array.from('.-_·&+‐‑', (one) => one.charCodeAt(0)))

/** The name of several parts that begins with this word, written as one, and where it ends. Null for a word of its own. */
export function nameAt(folded: string, at: number, end: number): { word: string; end: number } | null {
  const isLetter = (place: number) => classOf(folded.codePointAt(place) ?? 0) === charClass.letter
  if (!isLetter(at) || (joiners.has(folded.charCodeAt(at - 1)) && isLetter(at - 2))) return null
  let last = end
  while (joiners.has(folded.charCodeAt(last)) && isLetter(last + 1)) last = wordEnd(folded, last + 1, charClass.letter)
  if (last === end) return null
  const parts = Array.from(folded.slice(at, last)).filter((one) => !joiners.has(one.charCodeAt(0)))
  return { word: parts.join('').replaceAll(apostrophes, '').slice(0, longestToken), end: last }
}

/** Calls `visit` with the range of each token of a folded text, until it returns false. */
export function scan(folded: string, visit: (at: number, end: number, isWord: boolean) => boolean): void {
  for (let at = 0, isWanted = true; at < folded.length && isWanted;) {
    const code = folded.codePointAt(at) ?? 0
    const its = classOf(code)
    const next = at + (code > 0xffff ? 2 : 1)
    if (its === charClass.unspaced) {
      const after = folded.codePointAt(next) ?? 0
      const end = classOf(after) === charClass.unspaced ? next + (after > 0xffff ? 2 : 1) : next
      isWanted = visit(at, end, false)
      at = next
    } else if (its === charClass.letter || its === charClass.digit) {
      const end = wordEnd(folded, next, its)
      isWanted = visit(at, end, true)
      at = end
    } else at = next
  }
}

/** The word of a token, before stemming. */
export function wordAt(folded: string, at: number, end: number): string {
  return folded.slice(at, end).replaceAll(apostrophes, '').slice(0, longestToken)
}

// A word ends between letters and digits, so that "40ms" and "40 ms" match each other. "c++" and "c#" are words.
function wordEnd(text: string, from: number, its: number): number {
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const other = classOf(code)
    if (other !== its && other !== charClass.within) break
    at += code > 0xffff ? 2 : 1
  }
  if (its === charClass.letter && text.charCodeAt(at) === plus && text.charCodeAt(at + 1) === plus) return at + 2
  if (its === charClass.letter && text.charCodeAt(at) === sharp) return at + 1
  return at
}

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being but by can cannot could did do does doing don dont down each ' +
    'else ever few for from get gets got had has have having he her here hers him his how i if im in into is isnt it its ive just let like me ' +
    'more most much my no nor not now of off on once one only or other our out over own please same she should so some such than that thats the ' +
    'their them then there these they this those through to too under until up us very was we were what when where which while who whom why will ' +
    'with would you your yours'
  ).split(' '),
)

// Chinese particles, which are hardly ever part of a name.
const particles = new Set('的了吗呢吧啊呀嘛么怎')
const stopBigrams = new Set(
  '请问 请教 求助 如何 为何 为啥 哪些 哪个 哪里 哪种 多少 是否 还是 有没 没有 可以 能不 是不 不是 一个 一下 这个 那个 我们 你们 他们 大家 关于 有人 谁能'.split(
    ' ',
  ),
)

export function isStopWord({ text, word }: Pick<Token, 'text' | 'word'>): boolean {
  if (word !== null) return stopWords.has(word)
  return stopBigrams.has(text) || [...text].some((character) => particles.has(character))
}
