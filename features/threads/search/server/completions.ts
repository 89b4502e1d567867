import type { Db } from '#base/server/database/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { stemOf } from '#search/server/text/stem.ts'
import type { ParsedQuery } from '#search/server/parse-query.ts'

// A prefix this short is ambiguous and is only tried if it occurs nowhere as a word.
const shortPrefix = 3
const maxTokens = 12

/** The words that may be beginnings of others. Quoted words are excluded. */
export function prefixesIn({ terms }: ParsedQuery, isFound: boolean): string[] {
  return terms.flatMap(({ word, isNeeded, isQuoted }) => (word && isNeeded && !isQuoted && mayBePrefix(word, isFound) ? [word] : []))
}

/** For each word, the tokens of words that begin with it, the most common first. */
export async function completions(
  db: Db,
  engine: Engine,
  words: readonly string[],
  begun: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, readonly string[]>> {
  const others = new Map(
    words.flatMap((word) => {
      const tokens = new Set((begun.get(word) ?? []).map(stemOf))
      tokens.delete(stemOf(word))
      return tokens.size > 0 ? [[word, [...tokens]] as const] : []
    }),
  )
  if (others.size === 0) return others
  const { of } = await engine.shares(db, [...new Set([...others.values()].flat())])
  const share = (token: string) => of.get(token) ?? 0
  return new Map(
    [...others].map(([word, tokens]) => [word, tokens.toSorted((one, other) => share(other) - share(one)).slice(0, maxTokens)]),
  )
}

function mayBePrefix(word: string, isFound: boolean): boolean {
  return word.length > shortPrefix || (word.length === shortPrefix && !isFound)
}
