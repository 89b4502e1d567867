import type { Db } from '#base/server/database/database.ts'
import { maxListed, type Clause, type Filter } from '#search/server/engine.ts'
import { sharesOf, weeksOf, type Week } from '#search/server/postgres/shares.ts'
import { factsNeeded, prefixes, needsQuery, timeFacts, weekOf } from '#search/server/postgres/vector.ts'

// A scan of this many entries is cheap.
const smallScan = 1_500
const smallTitleScan = 1_000
// Above the number of listed hits, since the estimate is rough.
const minEntries = maxListed * 1.5

/**
 * A tsquery that restricts common words: to the newest weeks with enough entries by estimate, and to titles of any age. Null for no
 * restriction.
 */
export async function windowFor(
  db: Db,
  clauses: readonly Clause[],
  filter: Filter,
  withTitles: boolean,
  minCount = minEntries,
): Promise<string | null> {
  // Single characters are common but rarely adjacent: a window would be empty, and the search would be repeated without it.
  if (clauses.length > 1 && clauses.every(({ anyOf }) => anyOf.every(({ isStart }) => isStart))) return null
  const facts = factsNeeded(filter)
  const words = clauses.map(({ anyOf }) => anyOf.map(({ token, isStart }) => (isStart ? `${token}*` : token)))
  const titles = clauses.map(({ anyOf }) => anyOf.filter(({ isStart }) => !isStart).map(({ token }) => prefixes.title + token))
  const { entries, of } = await sharesOf(db, [...facts, ...words, ...titles].flat())
  const share = jointShare([...facts, ...words], of)
  if (entries * share <= smallScan) return null

  const weeks = newest(await weeksOf(db), filter, minCount / share)
  if (!weeks) return null
  const time = timeFacts(weeks.first, weeks.last)
  const hasFewTitles = entries * jointShare([...facts, ...titles], of) <= smallTitleScan
  return withTitles && hasFewTitles && titles.every((tokens) => tokens.length > 0)
    ? `(${needsQuery([time])} | (${needsQuery(titles)}))`
    : needsQuery([time])
}

/**
 * The estimated fraction of entries that satisfy all of these: that of the rarest, reduced by each other one, though they often
 * occur together. Two overlapping bigrams of one word always do.
 */
function jointShare(needs: readonly (readonly string[])[], of: ReadonlyMap<string, number>): number {
  const apart = needs.filter(([token = ''], index) => !needs.slice(0, index).some(([before = '']) => overlap(before, token)))
  const shares = apart.map((tokens) =>
    Math.min(
      1,
      tokens.reduce((sum, token) => sum + (of.get(token) ?? 0), 0),
    ),
  )
  const [rarest = 1, ...others] = shares.sort((one, other) => one - other)
  return others.reduce((share, other) => share * Math.sqrt(other), rarest)
}

function overlap(before: string, after: string): boolean {
  const [end, start] = [before, after].map((token) => token.replace(prefixes.title, ''))
  return end?.length === 2 && start?.length === 2 && end[1] === start[0] && /\p{Script=Han}/u.test(start)
}

/** The newest weeks with this many entries; null if that is all of them. */
function newest(all: readonly Week[], { since, until }: Filter, enough: number): { first: number; last: number } | null {
  const earliest = since ? weekOf(since) : -Infinity
  const latest = until ? weekOf(until) : Infinity
  const open = all.filter(({ week }) => week >= earliest && week <= latest)
  let sum = 0
  for (const { week, entries } of open) {
    sum += entries
    if (sum >= enough && week !== open.at(-1)?.week) return { first: week, last: open[0]?.week ?? week }
  }
  return null
}
