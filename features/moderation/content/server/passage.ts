const longest = 200
const around = 20

type Passage = { before: string; after: string }

/** The difference of two texts with some context; null if they are equal. */
export function passageBetween(before: string, after: string): Passage | null {
  if (before === after) return null
  const [one, other] = [[...before], [...after]]
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { before: passage(one, start, one.length - end), after: passage(other, start, other.length - end) }
}

function passage(text: readonly string[], start: number, end: number): string {
  const [from, to] = [Math.max(0, start - around), Math.min(text.length, end + around)]
  const isCut = to - from > longest
  const excerpt = text.slice(from, isCut ? from + longest - 1 : to).join('')
  return `${from > 0 ? '…' : ''}${excerpt}${isCut || to < text.length ? '…' : ''}`
}
