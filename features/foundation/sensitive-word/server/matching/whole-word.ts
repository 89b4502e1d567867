import { gaps, usesSpaces, type Folded } from '#sensitive-word/server/matching/fold.ts'

const shortWords = new Set('a i am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we'.split(' '))
const contracted = new Set(['s', 're', 've', 'll', 'd', 't', 'm'])

/**
 * Whether the letters of a match are the word itself. Latin words match whole: not inside another word, not across two words. Chinese words
 * match anywhere, but not across the end of a sentence. `breaks` are the spaces within the word.
 */
export function isWhole(folded: Folded, from: number, to: number, breaks: readonly number[] | undefined): boolean {
  if (isInside(folded, from, to)) return false
  const pieces: string[] = []
  let piece = ''
  let widest: number = gaps.none
  let isApart = true
  for (let at = from; at <= to; at++) {
    const gap = at === from ? gaps.none : (folded.before[at] ?? 0)
    if (at > from && gap <= gaps.unseen) isApart = false
    const own = breaks?.includes(at - from) ?? false
    if (gap >= gaps.apostrophe && !own) {
      pieces.push(piece)
      piece = ''
      widest = Math.max(widest, gap)
    }
    piece += String.fromCodePoint(folded.letters[at] ?? 0)
  }
  if (pieces.length === 0) return true
  pieces.push(piece)
  if (!usesSpaces(folded.letters[from] ?? 0) || !usesSpaces(folded.letters[to] ?? 0)) return isOneAcross(widest, isApart, to - from + 1)
  return isSpelledOut(pieces, widest) && !isContraction(folded, to, pieces) && !isInsideSpelled(folded, from, to, pieces)
}

// A letter of the same kind right before or after it makes it another word.
function isInside({ letters, before, length }: Folded, from: number, to: number): boolean {
  const [start, end] = [letters[from] ?? 0, letters[to] ?? 0]
  const joinedBefore = from > 0 && (before[from] ?? 0) <= gaps.unseen && usesSpaces(start) && usesSpaces(letters[from - 1] ?? 0)
  const joinedAfter = to + 1 < length && (before[to + 1] ?? 0) <= gaps.unseen && usesSpaces(end) && usesSpaces(letters[to + 1] ?? 0)
  return joinedBefore || joinedAfter
}

function isOneAcross(widest: number, isApart: boolean, length: number): boolean {
  return widest < gaps.sentence || (isApart && length >= 3)
}

function isSpelledOut(pieces: readonly string[], widest: number): boolean {
  if (pieces.every((piece) => shortWords.has(piece)) && pieces.some((piece) => piece.length > 1)) return false
  if (widest < gaps.space) return true
  if (widest === gaps.space) return pieces.every((piece) => piece.length <= 2)
  return pieces.every((piece) => piece.length === 1)
}

// he'll, who're, it's
function isContraction({ before }: Folded, to: number, pieces: readonly string[]): boolean {
  const last = pieces.at(-1) ?? ''
  return before[to - last.length + 1] === gaps.apostrophe && contracted.has(last)
}

// c l a s s: spelled-out letters may be a part of a longer spelled-out word.
function isInsideSpelled(folded: Folded, from: number, to: number, pieces: readonly string[]): boolean {
  if (!pieces.every((piece) => piece.length === 1)) return false
  const gap = folded.before[from + 1] ?? 0
  return isLone(folded, from - 1, gap, folded.before[from]) || isLone(folded, to + 1, gap, folded.before[to + 1])
}

function isLone({ letters, before, length }: Folded, at: number, gap: number, between: number | undefined): boolean {
  if (at < 0 || at >= length || between !== gap) return false
  const isAlone = (before[at] ?? 0) > gaps.unseen && (at + 1 >= length || (before[at + 1] ?? 0) > gaps.unseen)
  const letter = String.fromCodePoint(letters[at] ?? 0)
  return isAlone && usesSpaces(letters[at] ?? 0) && !shortWords.has(letter)
}
