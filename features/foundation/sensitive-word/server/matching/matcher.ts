import { build, endsWord, next, type Automaton } from '#sensitive-word/server/matching/automaton.ts'
import { fold, gaps, usesSpaces, type Folded } from '#sensitive-word/server/matching/fold.ts'
import { ownSignsOf, withSigns, type OwnSigns } from '#sensitive-word/server/matching/own-signs.ts'
import { isWhole } from '#sensitive-word/server/matching/whole-word.ts'

/** A match: the index of the word, and its range in the text. */
export type Match = { word: number; from: number; to: number }

/** The compiled words as plain data, which a worker thread can return. */
export type CompiledWords = {
  automaton: Automaton
  /** Word indexes in sorted order. */
  order: Int32Array
  /** Positions of the spaces within words. */
  breaks: Map<number, number[]>
  /** Signs that make words. */
  signs: Map<number, OwnSigns[]>
}

/** Compiles these words. Words without a letter never match. */
export function compile(words: readonly string[]): CompiledWords {
  const folded = words.map((word, number) => ({ number, ...lettersOf(word) })).filter(({ letters }) => letters.length > 0)
  folded.sort((one, other) => compare(one.letters, other.letters))
  return {
    automaton: build(folded.map(({ letters }) => letters)),
    order: Int32Array.from(folded, ({ number }) => number),
    breaks: new Map(folded.flatMap(({ number, breaks }): [number, number[]][] => (breaks.length > 0 ? [[number, breaks]] : []))),
    signs: new Map(folded.flatMap(({ number, signs }): [number, OwnSigns[]][] => (signs.length > 0 ? [[number, signs]] : []))),
  }
}

/** Every match in a text, in any disguise. */
export function find(compiled: CompiledWords, text: string): Match[] {
  if (compiled.order.length === 0 || text === '') return []
  const plain = fold(text)
  const found = matchesIn(compiled, text, plain)
  if (!plain.hasLeet) return found
  const readings = [found, matchesIn(compiled, text, fold(text, 'first')), matchesIn(compiled, text, fold(text, 'second'))].flat()
  return [...new Map(readings.map((one) => [`${one.word} ${one.from}`, one])).values()]
}

/** The normalised form that identifies a word: its letters, and the signs that make it. Empty where it has no letter. */
export function keyOf(word: string): string {
  const { letters, signs } = lettersOf(word)
  if (letters.length === 0) return ''
  const signsAt = new Map(signs.map(({ at, signs: its }) => [at, its]))
  return [...letters, 0].map((letter, at) => (signsAt.get(at) ?? '') + (at < letters.length ? String.fromCodePoint(letter) : '')).join('')
}

function matchesIn({ automaton, order, breaks, signs }: CompiledWords, text: string, folded: Folded): Match[] {
  const found: Match[] = []
  let state = 0
  for (let at = 0; at < folded.length; at++) {
    state = next(automaton, state, folded.letters[at] ?? 0)
    for (let end = state; end !== 0; end = automaton.shorter[end] ?? 0) {
      if (!endsWord(automaton, end)) continue
      const start = at + 1 - (automaton.depth[end] ?? 0)
      const first = automaton.word[end] ?? 0
      for (let index = first; index < first + (automaton.count[end] ?? 0); index++) {
        const word = order[index] ?? 0
        if (!isWhole(folded, start, at, breaks.get(word))) continue
        const range = withSigns(text, folded, { start, end: at, own: signs.get(word) ?? [] })
        if (range) found.push({ word, ...range })
      }
    }
  }
  return found
}

function lettersOf(word: string): { letters: number[]; breaks: number[]; signs: OwnSigns[] } {
  const folded = fold(word)
  const { letters, before, length } = folded
  const breaks: number[] = []
  for (let at = 1; at < length; at++) {
    if ((before[at] ?? 0) > gaps.unseen && usesSpaces(letters[at] ?? 0)) breaks.push(at)
  }
  return { letters: [...letters.subarray(0, length)], breaks, signs: ownSignsOf(word, folded) }
}

function compare(one: readonly number[], other: readonly number[]): number {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
