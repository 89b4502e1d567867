const shortest = 4
const longest = 20

/** Whether a slip of the finger in this word can be forgiven. */
export function isForgivable(word: string): boolean {
  return word.length >= shortest && word.length <= longest && /^[a-z]+$/.test(word)
}

/** A word and all that is left of it without one letter. Two words a slip apart have one of these in common. */
export function slipsOf(word: string): string[] {
  const slips = new Set([word])
  for (let at = 0; at < word.length; at++) slips.add(word.slice(0, at) + word.slice(at + 1))
  return [...slips]
}

/** Whether one letter more, less, other, or two in the other order make one word of the other. */
export function isOneSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || one === other) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}
