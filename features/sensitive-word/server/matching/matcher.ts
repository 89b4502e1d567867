import { build, endsWord, next, type Automaton } from '#sensitive-word/server/matching/automaton.ts'
import { fold, gaps, partsWords, type Folded } from '#sensitive-word/server/matching/fold.ts'
import { isWhole } from '#sensitive-word/server/matching/whole.ts'

/** What was found where: which of the words, and from where to where in the text. */
export type Match = { word: number; from: number; to: number }

/** All that is needed to find words, as plain data, so that it can be made in another thread. */
export type CompiledWords = {
  automaton: Automaton
  /** The words in the order of their letters, by their numbers. */
  order: Int32Array
  /** Where words have spaces of their own. */
  breaks: Map<number, number[]>
}

/** Makes ready to find these words. Those without a letter are never found. */
export function make(words: readonly string[]): CompiledWords {
  const folded = words.map((word, number) => ({ number, ...lettersOf(word) })).filter(({ letters }) => letters.length > 0)
  folded.sort((one, other) => compare(one.letters, other.letters))
  return {
    automaton: build(folded.map(({ letters }) => letters)),
    order: Int32Array.from(folded, ({ number }) => number),
    breaks: new Map(folded.flatMap(({ number, breaks }): [number, number[]][] => (breaks.length > 0 ? [[number, breaks]] : []))),
  }
}

/** Every word in a text, whatever it is dressed as. */
export function find(made: CompiledWords, text: string): Match[] {
  if (made.order.length === 0 || text === '') return []
  const plain = fold(text)
  const found = walk(made, plain)
  if (!plain.hasLeet) return found
  const readings = [found, walk(made, fold(text, 'first')), walk(made, fold(text, 'second'))].flat()
  return [...new Map(readings.map((one) => [`${one.word} ${one.from}`, one])).values()]
}

/** A word in the one form that tells words apart; empty where it has no letter. */
export function keyOf(word: string): string {
  return String.fromCodePoint(...lettersOf(word).letters)
}

function walk({ automaton, order, breaks }: CompiledWords, folded: Folded): Match[] {
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
        if (isWhole(folded, start, at, breaks.get(word))) found.push({ word, from: folded.from[start] ?? 0, to: folded.to[at] ?? 0 })
      }
    }
  }
  return found
}

function lettersOf(word: string): { letters: number[]; breaks: number[] } {
  const { letters, before, length } = fold(word)
  const breaks: number[] = []
  for (let at = 1; at < length; at++) {
    if ((before[at] ?? 0) > gaps.unseen && partsWords(letters[at] ?? 0)) breaks.push(at)
  }
  return { letters: [...letters.subarray(0, length)], breaks }
}

function compare(one: readonly number[], other: readonly number[]): number {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
