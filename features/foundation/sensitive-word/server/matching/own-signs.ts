import { gapOf, gaps, maxGap, usesSpaces, type Folded } from '#sensitive-word/server/matching/fold.ts'
import { plainSign } from '#sensitive-word/server/matching/look-alikes.ts'

/** Signs that make a word, and the number of its letters before them: `++` after the one letter of C++, the stop before those of .NET. */
export type OwnSigns = { at: number; signs: string }

// Quotes, ends of sentences and signs that only disguise are no part of a word.
const meaningless = /[^+#&%@$€£¥]/gu
const leadingStop = /(?:^|[^.])\.$/

export function ownSignsOf(word: string, { letters, from, to, length }: Folded): OwnSigns[] {
  return Array.from({ length: length + 1 }, (_, at): OwnSigns => {
    const gap = plainSigns(word.slice(at === 0 ? 0 : to[at - 1], at === length ? undefined : from[at]))
    const isSuffix = at === 0 && leadingStop.test(gap) && usesSpaces(letters[0] ?? 0)
    return { at, signs: gap.replaceAll(meaningless, '') + (isSuffix ? '.' : '') }
  }).filter(({ signs }) => signs !== '')
}

/**
 * The range of a match with its signs, or null where the text lacks one of them or has one more: C+ is not C++. What may be between two
 * letters may be between a letter and a sign. `start` and `end` count letters.
 */
export function withSigns(
  text: string,
  folded: Folded,
  { start, end, own }: { start: number; end: number; own: readonly OwnSigns[] },
): { from: number; to: number } | null {
  const { letters, from, to, length } = folded
  const range = { from: from[start] ?? 0, to: to[end] ?? 0 }
  for (const { at, signs } of own) {
    if (at === 0) {
      const gap = text.slice(start === 0 ? 0 : to[start - 1], range.from)
      const near = { letter: letters[start], beyond: start === 0 ? undefined : letters[start - 1] }
      const width = widthOf([...gap].reverse(), [...signs].reverse(), { ...near, mayBeFar: isApart(folded, start, end, signs) })
      if (width === null) return null
      range.from -= width
    } else if (at > end - start) {
      const gap = text.slice(range.to, end + 1 < length ? from[end + 1] : undefined)
      const near = { letter: letters[end], beyond: end + 1 < length ? letters[end + 1] : undefined }
      const width = widthOf([...gap], [...signs], { ...near, mayBeFar: isApart(folded, start, end, signs) })
      if (width === null) return null
      range.to += width
    } else if (
      !plainSigns(text.slice(to[start + at - 1], from[start + at]))
        .replaceAll(meaningless, '')
        .includes(signs)
    )
      return null
  }
  return range
}

type Neighbours = {
  letter: number | undefined
  /** The letter at the other end of the gap. */ beyond: number | undefined
  mayBeFar: boolean
}

/** The length of the text that signs take, from their letter outwards; null where they are not all there or belong elsewhere. */
function widthOf(gap: readonly string[], signs: readonly string[], { letter, beyond, mayBeFar }: Neighbours): number | null {
  let [taken, width, widest, between] = [0, 0, gaps.none as number, 0]
  let areJoined = false
  let at = 0
  for (; taken < signs.length; at++) {
    const one = gap[at]
    if (one === undefined) return null
    width += one.length
    if (plainSign(one) === signs[taken]) {
      areJoined ||= between === 0
      if (between > maxGap) widest = gaps.line
      ;[taken, between] = [taken + 1, 0]
      continue
    }
    const kind = gapOf(one)
    if (kind > gaps.unseen) between += one.length
    // A stop that is apart ends a sentence.
    if (kind > gaps.unseen && signs[taken] === '.') return null
    widest = Math.max(widest, kind)
  }
  if (widest >= gaps.sentence && (areJoined || !mayBeFar)) return null
  const rest = gap.slice(at).filter((one) => gapOf(one) !== gaps.unseen)
  if (rest[0] !== undefined && plainSign(rest[0]) === signs.at(-1)) return null
  return widest >= gaps.space && areOfAnother(signs, rest, letter, beyond) ? null : width
}

/** Whether signs that are apart from a word belong to the next one, as in "C #1", or join both, as in "a + b". */
function areOfAnother(signs: readonly string[], rest: readonly string[], letter = 0, beyond = 0): boolean {
  if (beyond === 0 || !usesSpaces(beyond)) return false
  const joins = signs.length === 1 && '+&@'.includes(signs[0] ?? '') && usesSpaces(letter)
  return rest.length === 0 || (joins && rest.every((one) => gapOf(one) === gaps.space))
}

/** Whether all letters are apart, which with their signs are three or more: such a word may go over the end of a sentence. */
function isApart({ before }: Folded, start: number, end: number, signs: string): boolean {
  return end + 1 - start + signs.length >= 3 && before.subarray(start + 1, end + 1).every((gap) => gap > gaps.unseen)
}

function plainSigns(gap: string): string {
  return Array.from(gap, (one) => (gapOf(one) === gaps.unseen ? '' : plainSign(one))).join('')
}
