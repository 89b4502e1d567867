import { usesSpaces, type Folded } from '#sensitive-word/server/matching/fold.ts'

/** Signs that make a word, and the number of its letters before them: `++` after the one letter of C++, the stop before those of .NET. */
export type OwnSigns = { at: number; signs: string }

// What surrounds words, ends sentences or only disguises is no part of them.
const meaningless = /[^+#&%@$€£¥]/gu
const leadingStop = /(?:^|[^.])\.$/

export function ownSignsOf(word: string, { letters, from, to, length }: Folded): OwnSigns[] {
  return Array.from({ length: length + 1 }, (_, at): OwnSigns => {
    const gap = word.slice(at === 0 ? 0 : to[at - 1], at === length ? undefined : from[at]).normalize('NFKC')
    const isSuffix = at === 0 && leadingStop.test(gap) && usesSpaces(letters[0] ?? 0)
    return { at, signs: gap.replaceAll(meaningless, '') + (isSuffix ? '.' : '') }
  }).filter(({ signs }) => signs !== '')
}

/**
 * The range of a match with its signs, or null where the text lacks one of them or has one more: C+ is not C++. `start` and `end` count
 * letters.
 */
export function withSigns(
  text: string,
  { from, to }: Folded,
  { start, end, own }: { start: number; end: number; own: readonly OwnSigns[] },
): { from: number; to: number } | null {
  const range = { from: from[start] ?? 0, to: to[end] ?? 0 }
  const plain = (at: number, until: number) => text.slice(Math.max(0, at), until).normalize('NFKC')
  for (const { at, signs } of own) {
    if (at === 0) {
      if (plain(range.from - signs.length, range.from) !== signs) return null
      range.from -= signs.length
      if (plain(range.from - 1, range.from) === signs[0]) return null
    } else if (at > end - start) {
      if (plain(range.to, range.to + signs.length) !== signs) return null
      range.to += signs.length
      if (plain(range.to, range.to + 1) === signs.at(-1)) return null
    } else if (!plain(to[start + at - 1] ?? 0, from[start + at] ?? 0).includes(signs)) return null
  }
  return range
}
