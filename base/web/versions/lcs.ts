// Beyond this size the table would take too long, and the middle counts as new.
const maxCells = 4_000_000

/** The longest common subsequence of two lists, as pairs of indices. */
export function longestCommonSubsequence(one: readonly string[], other: readonly string[]): [number, number][] {
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++

  const head = Array.from({ length: start }, (_, at): [number, number] => [at, at])
  const middle = lcsOfMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end))
  const tail = Array.from({ length: end }, (_, at): [number, number] => [one.length - end + at, other.length - end + at])
  return [...head, ...middle.map(([a, b]): [number, number] => [a + start, b + start]), ...tail]
}

function lcsOfMiddle(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1
  if (one.length * width > maxCells) return []
  const best = new Uint16Array((one.length + 1) * width)
  const at = (a: number, b: number) => best[a * width + b] ?? 0
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      best[a * width + b] = one[a] === other[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    if (one[a] === other[b]) pairs.push([a++, b++])
    else if (at(a + 1, b) >= at(a, b + 1)) a++
    else b++
  }
  return pairs
}
