import { sameCharacter } from '#base/chinese/variants.ts'
import { radicals, regionalForms } from '#sensitive-word/server/matching/regional-forms.ts'
import { boxedLetters, latin, leet } from '#sensitive-word/server/matching/look-alikes.ts'

/** The kinds of gap between two letters, from none to those that no word spans. */
export const gaps = { none: 0, unseen: 1, apostrophe: 2, mark: 3, space: 4, sentence: 5, line: 6 } as const

/** A normalised text: its letters, the source range of each, and the gap before each. */
export type Folded = { letters: Int32Array; from: Int32Array; to: Int32Array; before: Uint8Array; length: number; hasLeet: boolean }

/** How digits and signs are read: as they are, or as letters, of which some are ambiguous. */
export type Reading = 'plain' | 'first' | 'second'

// A wider gap separates words.
export const maxGap = 12

export function fold(text: string, reading: Reading = 'plain'): Folded {
  const folded = empty(text.length)
  const asLetters = reading === 'plain' ? null : leetIn(text)
  let gap: number = gaps.line
  let between = 0
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0
    const next = at + (code > 0xffff ? 2 : 1)
    const one = asLetters?.has(at) ? leetLetter(text[at] ?? '', reading) : foldCharacter(code)
    if (one.hasLeet) folded.hasLeet = true
    if (one.letters === null) {
      gap = Math.max(gap, one.gap)
      if (one.gap > gaps.unseen) between += next - at
      at = next
      continue
    }
    if (between > maxGap) gap = gaps.line
    for (const letter of one.letters) {
      push(folded, letter, at, next, gap)
      gap = gaps.none
    }
    between = 0
    at = next
  }
  return folded
}

/** Whether the letter is of a script with spaces between words; Chinese and its neighbours have none. */
export function usesSpaces(letter: number): boolean {
  return letter < 0x0e00 || (letter >= 0x1e00 && letter < 0x2e80)
}

type FoldedCharacter = { letters: number[] | null; gap: number; hasLeet: boolean }

const foldCache = new Map<number, FoldedCharacter>()
const maxCached = 40_000

function foldCharacter(code: number): FoldedCharacter {
  const before = foldCache.get(code)
  if (before) return before
  const one = computeFold(code)
  if (foldCache.size < maxCached) foldCache.set(code, one)
  return one
}

const marks = /[\p{Mn}\p{Me}\p{Cf}]/gu
const kanaMarks = /[\u3099\u309a]/

function computeFold(code: number): FoldedCharacter {
  const written = String.fromCodePoint(code)
  const character = radicals.get(written) ?? written
  const hasLeet = leet.has(character)
  const boxed = boxedLetters(code)
  if (boxed) return { letters: codesOf(boxed), gap: gaps.none, hasLeet }
  const gap = gapOf(character)
  if (gap !== gaps.none) return { letters: null, gap, hasLeet }
  const plain = character.normalize('NFKD').replaceAll(marks, (mark) => (kanaMarks.test(mark) ? mark : ''))
  const folded = [...plain.normalize('NFC')].map(plainLetter).join('')
  const letters = codesOf(folded).filter((letter) => gapOf(String.fromCodePoint(letter)) === gaps.none)
  return letters.length > 0 ? { letters, gap: gaps.none, hasLeet } : { letters: null, gap: gaps.mark, hasLeet }
}

function plainLetter(one: string): string {
  return latin.get(one) ?? sameCharacter.get(one) ?? regionalForms.get(one) ?? one.toLowerCase()
}

/** The kind of gap that a character makes; none for a letter. */
export function gapOf(character: string): number {
  if (/[\n\r\u2028\u2029]/.test(character)) return gaps.line
  if (/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Mn}\p{Me}]/u.test(character) && character !== '\t') return gaps.unseen
  if (/\s/.test(character)) return gaps.space
  if (/['’‘ʼ`´]/.test(character)) return gaps.apostrophe
  if (/[，。！？；：、…—,!?;:]/.test(character)) return gaps.sentence
  // A character with a letter as one of its forms, such as ⓐ and ㎏, is no sign.
  const isLetter = /[\p{L}\p{N}]/u.test(character.normalize('NFKC'))
  return isLetter ? gaps.none : gaps.mark
}

/** Positions of signs and digits that may be letters: in a run with at least one letter; an exclamation mark only before one. */
function leetIn(text: string): Set<number> {
  const found = new Set<number>()
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}@$€!|]+/gu)) {
    if (!/\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(run)) continue
    const end = run.length - (run.split(/[\p{L}\p{N}]/u).at(-1)?.length ?? 0)
    for (let at = 0; at < run.length; at++) {
      const one = run[at] ?? ''
      const endsIt = one === '!' && at >= end
      if (leet.has(one) && !endsIt) found.add(index + at)
    }
  }
  return found
}

function leetLetter(sign: string, reading: Reading): FoldedCharacter {
  const letter = leet.get(sign)?.codePointAt(reading === 'first' ? 0 : 1) ?? 0
  return { letters: [letter], gap: gaps.none, hasLeet: true }
}

function codesOf(text: string): number[] {
  return [...text].map((one) => one.codePointAt(0) ?? 0)
}

function empty(room: number): Folded {
  const size = Math.max(16, room)
  return {
    letters: new Int32Array(size),
    from: new Int32Array(size),
    to: new Int32Array(size),
    before: new Uint8Array(size),
    length: 0,
    hasLeet: false,
  }
}

function push(folded: Folded, letter: number, from: number, to: number, before: number): void {
  if (folded.length === folded.letters.length) grow(folded)
  folded.letters[folded.length] = letter
  folded.from[folded.length] = from
  folded.to[folded.length] = to
  folded.before[folded.length] = before
  folded.length++
}

// One character may expand to many letters: ﷺ is eighteen.
function grow(folded: Folded): void {
  const size = folded.letters.length * 2
  folded.letters = grown(new Int32Array(size), folded.letters)
  folded.from = grown(new Int32Array(size), folded.from)
  folded.to = grown(new Int32Array(size), folded.to)
  folded.before = grown(new Uint8Array(size), folded.before)
}

function grown<A extends Int32Array | Uint8Array>(larger: A, before: A): A {
  larger.set(before)
  return larger
}
