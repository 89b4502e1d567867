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
