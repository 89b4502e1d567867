const shortest = 4
const longest = 20

/** Whether corrections are searched for this word. */
export function isCorrectable(word: string): boolean {
  return word.length >= shortest && word.length <= longest && /^[a-z]+$/.test(word)
}

/** A word with all of its single-letter deletions. Two words within one edit have one of these in common. */
export function deletionsOf(word: string): string[] {
  const slips = new Set([word])
  for (let at = 0; at < word.length; at++) slips.add(word.slice(0, at) + word.slice(at + 1))
  return [...slips]
}

/** Whether two words differ by one insertion, deletion, substitution or transposition. */
export function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || one === other) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}
