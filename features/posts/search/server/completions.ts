import type { Db } from '#base/server/database/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { wordsWithPrefix } from '#search/server/spelling.ts'
import { stemOf } from '#search/server/text/stem.ts'
import type { ParsedQuery } from '#search/server/parse-query.ts'

// A prefix this short is ambiguous and is only tried if it occurs nowhere as a word.
const shortPrefix = 3
const maxTokens = 12

/**
 * Completions: for each word that may be a prefix, the tokens of words that begin with it, the most common first. Quoted words are
 * excluded.
 */
export async function completions(
  db: Db,
  engine: Engine,
  { terms }: ParsedQuery,
  isFound: boolean,
): Promise<Map<string, readonly string[]>> {
  const words = terms.flatMap(({ word, isNeeded, isQuoted }) => (word && isNeeded && !isQuoted && mayBePrefix(word, isFound) ? [word] : []))
  const others = new Map(
    [...(await wordsWithPrefix(db, words))].flatMap(([word, all]) => {
      const tokens = new Set(all.map(stemOf))
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
