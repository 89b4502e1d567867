import { withoutVariants } from '#base/chinese/variants.ts'
import { readings } from '#user/server/confusables.ts'

/** Two names with the same key count as one name: case and width do not tell members apart. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/** Patterns with * for any text and ? for one character, regardless of case, of traditional forms, and of lookalikes. */
export function isReserved(name: string, patterns: readonly string[]): boolean {
  const key = withoutVariants(nameKey(name))
  const names = [key, ...readings(name).map(withoutVariants)].flatMap((one) => [one, one.replace(/[ ._·-]/g, '')])
  return patterns.some((pattern) => names.some((one) => matchesPattern([...one], [...withoutVariants(pattern.toLowerCase())])))
}

// Backtracks to the last * only, so that every pattern takes linear time.
function matchesPattern(name: readonly string[], pattern: readonly string[]): boolean {
  let [at, place, star, from] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[place] === '*') {
      star = place++
      from = at
    } else if (place < pattern.length && (pattern[place] === '?' || pattern[place] === name[at])) {
      at++
      place++
    } else if (star >= 0) {
      place = star + 1
      at = ++from
    } else return false
  }
  return pattern.slice(place).every((one) => one === '*')
}
