import { stem } from 'porter2'
import { baseOf, bases } from '#search/server/text/irregular.ts'

const cache = new Map<string, string>()
const maxCached = 50_000

/** The stem of an English word; anything else is returned unchanged. Expects lower case. */
export function stemOf(word: string): string {
  const before = cache.get(word)
  if (before !== undefined) return before
  const found = porterStem(baseOf(word))
  if (cache.size < maxCached) cache.set(word, found)
  return found
}

// The package strips a letter too many from words as short as "added", which the current rules keep.
const doubled = /^([aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt))(?:ed|ing)(?:ly|s)?$/

/** The stem by the Porter2 algorithm alone. */
export function porterStem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stem(word.replace(doubled, '$1')) : word
}

const irregularForms = Map.groupBy(bases.keys(), (form) => stemOf(form))

/** The characters that words of this stem may begin with. Only irregular forms begin otherwise than their stem. */
export function firstCharactersOf(stem: string): number[] {
  return [stem, ...(irregularForms.get(stem) ?? [])].map((word) => word.codePointAt(0) ?? 0)
}
